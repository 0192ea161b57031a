import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { openStore } from '../store/store.ts'
import { pipeTables } from '../store/tables/pipe-run-table.ts'
import type { PipeLimits } from './pipe-limits.ts'
import { Pipes } from './pipes.ts'

const tool = { name: 'files__read', server: 'files', class: 'reads', inputSchema: {}, outputSchema: undefined }
const plan = { steps: [{ id: 'one', call: tool.name, arguments: {} }] }

function opened(limits: PipeLimits) {
  const folder = temporaryFolder()
  const store = openStore({ path: join(folder.path, 'test.db'), rooms: [pipeTables] })
  const pipes = new Pipes(store, limits)
  return {
    count: (table: string) => Number(store.database.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.count),
    /** Runs a plan of one call for a principal; the call waits for the given promise. */
    run: (principal: string, until: Promise<void> = Promise.resolve()) =>
      pipes.answer(
        { plan },
        {
          principal,
          trace: 'trace',
          signal: new AbortController().signal,
          tools: async () => ({ find: () => tool, names: () => [tool.name] }),
          async call(_tool, _args, { beforeSent }) {
            await beforeSent()
            await until
            return { content: [{ type: 'text', text: 'done' }] }
          },
          onProgress: () => {},
        },
      ),
    async [Symbol.asyncDispose]() {
      await store.close()
      folder[Symbol.dispose]()
    },
  }
}

describe('Pipes', () => {
  it('runs so many plans of a principal at once; more are refused, those of others are not', async () => {
    await using host = opened({ maxRunsPerPrincipal: 2 })
    let finish = (): void => {}
    const until = new Promise<void>((resolve) => {
      finish = resolve
    })
    const running = [host.run('me', until), host.run('me', until)]
    const refused = await host.run('me')
    assert.match(JSON.stringify(refused), /Cannot run the plan: 2 of yours are running already/)
    assert.notEqual((await host.run('other')).isError, true)
    finish()
    for (const result of await Promise.all(running)) assert.notEqual(result.isError, true)
    assert.notEqual((await host.run('me')).isError, true)
  })

  it('remembers so many runs, and of the others not a call', async () => {
    await using host = opened({ maxRemembered: 3 })
    for (let run = 0; run < 10; run++) await host.run('me')
    assert.equal(host.count('pipe_run'), 3)
    assert.equal(host.count('pipe_call'), 3)
  })
})
