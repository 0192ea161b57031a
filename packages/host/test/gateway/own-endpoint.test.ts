/** Behaviour of a server at its own address, `/mcp/server/NAME`. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { InvalidParams, ResourceNotFound } from '@trunkline/mcp'
import { revisions } from '@trunkline/mcp/testing'
import { serverRevisions } from '../../src/config/schema/server-entry.ts'
import { queryLedger } from '../../src/ledger/query.ts'
import { programSpec, runningHost } from './running-host.ts'

const { launch } = programSpec('shelf', 'shelf')
if (launch.kind !== 'program') throw new Error('It is a program')
const shelf = { launch: { ...launch, args: [...launch.args, 'books'] } }
const servers = [
  { ...shelf, name: 'one' },
  { ...shelf, name: 'two', revision: '2025-06-18' },
]
const running = await runningHost({ servers })
after(() => running[Symbol.asyncDispose]())

const codeOf = (reading: Promise<unknown>): Promise<unknown> =>
  reading.then(
    () => 'found',
    ({ code }: { readonly code: unknown }) => code,
  )

for (const [revision, code] of [
  ['2025-11-25', ResourceNotFound],
  ['2026-07-28', InvalidParams],
] as const) {
  describe(`a client of ${revision} at the address of one server`, () => {
    it('sees the name and version of that server, and at the address of all of them those of the host', async () => {
      await using own = await running.dial('/server/one', { revisions: [revision] })
      assert.deepEqual(own.server, running.host.servers.get('one')?.connection?.server)
      assert.equal(own.server?.name, 'books')
      await using all = await running.dial('', { revisions: [revision] })
      assert.equal(all.server?.name, 'trunkline')
    })

    it('gets the error of its own revision for a missing resource, whichever revision the server speaks', async () => {
      for (const path of ['/server/one', '/server/two', '']) {
        await using mcp = await running.dial(path, { revisions: [revision] })
        assert.equal(await codeOf(mcp.resources.read('nowhere:1')), code, path)
      }
    })

    it('gets an error for an unknown kept result, and no server is asked for it', async () => {
      for (const path of ['/server/one', '']) {
        await using mcp = await running.dial(path, { revisions: [revision] })
        for (const rest of ['/unknown', '/', '', '/a/b/c', '/a b', '?lines=1-2']) {
          const uri = `trunkline://result${rest}`
          assert.equal(await codeOf(mcp.resources.read(uri)), code, uri)
          const asked = queryLedger(running.host.store, { target: uri }).map(({ line }) => line.server)
          assert.deepEqual(
            asked.filter((server) => server !== 'trunkline'),
            [],
          )
        }
      }
    })
  })
}

it('a server is spoken to in the revision that is configured for it, and every revision of the library can be', () => {
  const spoken = (name: string) => running.host.servers.get(name)?.connection?.revision
  assert.deepEqual([spoken('one'), spoken('two')], [revisions[0], '2025-06-18'])
  assert.deepEqual([...serverRevisions].sort(), [...revisions].sort())
})
