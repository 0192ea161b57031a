import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import type { Caller } from '@trunkline/mcp'
import { AcceptCodes } from '../../src/api/accept-codes.ts'
import { Catalogue } from '../../src/catalogue/catalogue.ts'
import { HostProjects } from '../../src/host-projects.ts'
import { hostTables } from '../../src/host-tables.ts'
import { Principals } from '../../src/principals/principals.ts'
import { Programs } from '../../src/programs/programs.ts'
import type { ServerSpec } from '../../src/servers/server-spec.ts'
import { openStore } from '../../src/store/store.ts'
import { ServerUpdates } from '../../src/update-server.ts'
import { source } from '../run/package.ts'
import { temporaryFolder } from '../temporary-folder.ts'

/** A store, and an npm that installs one small server as soon as a file is there. */
function machine() {
  const folder = temporaryFolder()
  const at = (name: string) => join(folder.path, name)
  mkdirSync(at('bin'))
  writeFileSync(at('server.js'), source({ version: '1.0.0', description: 'Reads a note' }))
  writeFileSync(
    at('bin/npm'),
    `#!/bin/sh
while [ ! -e '${at('open')}' ]; do sleep 0.05; done
mkdir -p "$3/node_modules/notes" "$3/node_modules/.bin"
echo '{ "dependencies": { "notes": "1" } }' > "$3/package.json"
echo '{ "version": "1.0.0", "bin": { "notes": "notes.js" } }' > "$3/node_modules/notes/package.json"
cp '${at('server.js')}' "$3/node_modules/.bin/notes"
chmod +x "$3/node_modules/.bin/notes"
`,
  )
  chmodSync(at('bin/npm'), 0o755)
  const PATH = `${at('bin')}:${dirname(process.execPath)}:${process.env.PATH}`
  const store = openStore({ path: at('trunkline.db'), rooms: hostTables })
  return {
    store,
    installed: at('programs'),
    programs: (maxWaitingInstalls: number) =>
      new Programs(store, { folder: at('programs'), environment: () => ({ PATH }), maxWaitingInstalls }),
    launch: { kind: 'program', command: 'npx', args: ['-y', 'notes'], cwd: '/', env: { PATH } } as const,
    open: () => writeFileSync(at('open'), ''),
    async [Symbol.asyncDispose]() {
      await store.close()
      folder[Symbol.dispose]()
    },
  }
}

describe('what is installed', () => {
  it('one at a time; those that wait are limited, and the next one is told so', async () => {
    await using own = machine()
    const programs = own.programs(2)
    const first = [1, 2, 3].map(() => programs.install(own.launch))
    await assert.rejects(programs.install(own.launch), {
      message: 'Cannot install "notes": 1 are under way and 2 wait already; try again when they are installed',
    })
    own.open()
    assert.deepEqual(
      (await Promise.all(first)).map((done) => done?.program.version),
      ['1.0.0', '1.0.0', '1.0.0'],
    )
  })

  it('to be looked at is limited: the oldest plan is forgotten, and its program removed', async () => {
    await using own = machine()
    own.open()
    const programs = own.programs(10)
    const specs: readonly ServerSpec[] = ['one', 'two'].map((name) => ({ name, launch: own.launch }))
    const updates = new ServerUpdates({
      programs,
      catalogue: new Catalogue(own.store),
      accepted: () => specs,
      apply: async () => {},
      learn: async () => {},
      maxPlans: 1,
    })
    const { digest } = await updates.plan('one')
    const [folder = ''] = readdirSync(own.installed)
    await updates.plan('two')
    assert.equal(existsSync(join(own.installed, folder)), false)
    assert.equal(readdirSync(own.installed).length, 1)
    await assert.rejects(updates.update('one', digest), /nobody looked at this version yet; look at it first/)
  })
})

describe('what is remembered', () => {
  it('directories that callers named: beyond the limit they are looked up anew', async () => {
    const opened: string[] = []
    const projects = new HostProjects({
      open: async (directory) => {
        opened.push(directory)
        return ''
      },
    })
    projects.project('')
    const scopeOf = (project: string) =>
      projects.scopeOf({ claims: { project }, capabilities: {} } as unknown as Caller) !== undefined
    for (let at = 0; at < 1_000; at++) await projects.open(`/${at}`)
    assert.deepEqual([scopeOf('/0'), scopeOf('/999')], [true, true])
    await projects.open('/1000')
    assert.deepEqual([scopeOf('/0'), scopeOf('/1000')], [false, true])
    await projects.open('/0')
    assert.equal(scopeOf('/0'), true)
    assert.equal(opened.length, 1_002)
  })

  it('codes with which servers are accepted from a page: the oldest ends', () => {
    const codes = new AcceptCodes()
    const [first] = Array.from({ length: 101 }, (_, at) => codes.make(`server-${at}`, 'hash'))
    assert.equal(codes.open.length, 100)
    assert.equal(codes.spend('server-0', 'hash', first?.code ?? ''), false)
  })

  it('clients: one more than the limit is refused', async () => {
    await using own = machine()
    const insert = own.store.database.prepare(
      'INSERT INTO principal (id, name, token_hash, approver, made_at) VALUES (?, ?, ?, 0, 0)',
    )
    await own.store.batch(() => {
      for (let at = 0; at < 1_000; at++) insert.run(`id-${at}`, `client-${at}`, `hash-${at}`)
    })
    await assert.rejects(new Principals(own.store).make({ name: 'one-more' }), /there are 1000 clients already/)
  })

  it('definitions of one server: the first ones are kept', async () => {
    await using own = machine()
    const catalogue = new Catalogue(own.store)
    const tools = Array.from({ length: 10_001 }, (_, at) => ({ name: `tool_${at}`, inputSchema: { type: 'object' } }))
    await catalogue.offer('one', { tools, prompts: [], templates: [] })
    assert.equal(catalogue.entries('one').length, 10_000)
    assert.equal(catalogue.find('one', 'tool', 'tool_10000'), undefined)
  })
})
