import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import type { Caller } from '@trunkline/mcp'
import { relay } from '@trunkline/mcp/relay'
import type { Doing } from '../../src/acts/doing.ts'
import { limit } from '../../src/acts/limit.ts'
import { Schemas } from '../../src/acts/pinned.ts'
import { AcceptCodes } from '../../src/api/accept-codes.ts'
import { Host } from '../../src/assembly/host.ts'
import { Catalogue } from '../../src/catalogue/catalogue.ts'
import { secretFile } from '../../src/config/secrets/secret-file.ts'
import { Gateway, type GatewayParts } from '../../src/gateway/gateway.ts'
import { InnerClients } from '../../src/gateway/inner-clients.ts'
import { ResourceOwners } from '../../src/gateway/owner.ts'
import { ClientPrograms } from '../../src/gateway/principals/client-programs.ts'
import { Principals } from '../../src/gateway/principals/principals.ts'
import { Openings } from '../../src/gateway/wire/openings.ts'
import { Wire } from '../../src/gateway/wire/wire.ts'
import { CallerProjects } from '../../src/projects/caller-projects.ts'
import { deferred } from '../../src/relay/deferred.ts'
import { BoundPrograms } from '../../src/servers/programs/bound-programs.ts'
import { Programs } from '../../src/servers/programs/programs.ts'
import { Refusals } from '../../src/servers/sandbox/refusals.ts'
import type { ServerSpec } from '../../src/servers/server-spec.ts'
import { openStore } from '../../src/store/store.ts'
import { allTables } from '../../src/store/tables/all-tables.ts'
import { ServerUpdates } from '../../src/trust/update-server.ts'
import { source } from '../run/package.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const keys = ['a key for tests, of thirty-two characters and more']

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
  const store = openStore({ path: at('trunkline.db'), rooms: allTables })
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

describe('installed packages', () => {
  it('four at a time; waiting ones are limited, and the next one is refused', async () => {
    await using own = machine()
    const programs = own.programs(2)
    const first = [1, 2, 3, 4, 5, 6].map(() => programs.unpack(own.launch))
    await assert.rejects(programs.unpack(own.launch), {
      message: 'Cannot install "notes": 4 are under way and 2 wait already; try again when they are installed',
    })
    own.open()
    assert.deepEqual(
      (await Promise.all(first)).map((done) => done?.program.version),
      first.map(() => '1.0.0'),
    )
  })

  it('to be looked at is limited: the oldest plan is forgotten, and its program removed', async () => {
    await using own = machine()
    own.open()
    const programs = own.programs(10)
    const specs: readonly ServerSpec[] = ['one', 'two'].map((name) => ({ name, launch: own.launch }))
    const updates = new ServerUpdates({
      programs,
      bound: new BoundPrograms(own.store, programs),
      catalogue: new Catalogue(own.store),
      concealed: { folders: [], except: [] },
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

describe('remembered state', () => {
  it('directories that callers named: beyond the limit they are looked up anew', async () => {
    const opened: string[] = []
    const projects = new CallerProjects({
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

  it('clients that were revoked: the last thousand', async () => {
    await using own = machine()
    const insert = own.store.database.prepare(
      'INSERT INTO principal (id, name, token_hash, approver, made_at, revoked_at) VALUES (?, ?, ?, 0, 0, ?)',
    )
    await own.store.batch(() => {
      for (let at = 0; at < 1_000; at++) insert.run(`id-${at}`, `client-${at} (revoked ${at})`, `hash-${at}`, at)
    })
    const principals = new Principals(own.store)
    await principals.make({ name: 'editor' })
    await principals.revoke('editor')
    assert.equal(own.store.database.prepare('SELECT count(*) AS count FROM principal').get()?.count, 1_000)
    for (const name of ['editor', 'client-1']) assert.throws(() => principals.refuseRevoked(name), /was revoked/)
    principals.refuseRevoked('client-0')
  })

  it('programs of a client: 16, and the first accepted is forgotten', async () => {
    await using own = machine()
    const { principal } = await new Principals(own.store).make({ name: 'editor' })
    const programs = new ClientPrograms(own.store)
    for (let at = 0; at < 20; at += 1) await programs.add(principal.id, { key: `program-${at}`, path: `/p${at}` })
    const kept = programs.of(principal.id).map(({ key }) => key)
    assert.deepEqual([kept.length, kept[0], kept.at(-1)], [16, 'program-4', 'program-19'])
  })

  it('requested addresses: one more than the limit is refused, and open ones go on', async () => {
    await using own = machine()
    const parts = { catalogue: new Catalogue(own.store), keys, wire: new Wire({ levelOf: () => 'full' }), maxFronts: 2 }
    const gateway = new Gateway({ ...parts, version: '1', tasksAt: () => ({}) } as unknown as GatewayParts)
    const open = (path: string) => gateway.front(path, { name: 'one', viewOf: () => assert.fail() })
    const first = open('/mcp/server/one')
    open('/mcp/server/two')
    assert.throws(() => open('/mcp/server/three'), /"\/mcp\/server\/three": this host serves 2 addresses already/)
    assert.equal(open('/mcp/server/one'), first)
    await gateway.close()
  })

  it('acts of one principal that wait for a place: one more is refused, and other principals are not', async () => {
    const limits = { maxActsPerPrincipal: 1, maxWaitingActsPerPrincipal: 2 }
    const done = deferred<object>()
    const act = limit(limits, () => {})(() => done.promise as never)
    const { signal } = new AbortController()
    const by = (id: string) => act({ act: { kind: 'call', principal: { id, name: id } }, call: { signal } } as Doing)
    const waiting = ['editor', 'editor', 'editor', 'other'].map(by)
    await assert.rejects(by('editor'), {
      outcome: 'limited',
      message: 'Too many calls of "editor" at the same time: 1 are under way and 2 wait already; try again later',
    })
    done.resolve({})
    assert.equal((await Promise.all(waiting)).length, 4)
  })

  it('templates that were parsed: beyond the limit they are parsed anew, and still fit', async () => {
    await using own = machine()
    const catalogue = new Catalogue(own.store)
    for (const server of ['one', 'two']) {
      const templates = Array.from({ length: 5 }, (_, at) => ({ name: `t${at}`, uriTemplate: `${server}${at}:{x}` }))
      await catalogue.offer(server, { tools: [], prompts: [], templates })
      await catalogue.pin(server)
    }
    const owners = new ResourceOwners(catalogue, { maxTemplates: 3 })
    const view = { servers: () => ['one', 'two'], project: undefined } as unknown as Parameters<typeof owners.find>[1]
    for (let round = 0; round < 3; round += 1) {
      assert.deepEqual(owners.find('two4:a', view), { server: 'two', uri: 'two4:a' })
      assert.ok(owners.templates <= 3, String(owners.templates))
    }
  })

  it('compiled schemas of changed definitions: beyond the limit they are compiled anew', () => {
    const schemas = new Schemas(3)
    for (let at = 0; at < 10; at += 1) {
      const schema = { type: 'object', required: [`field${at}`] }
      assert.equal(schemas.problemOf(schema, { [`field${at}`]: 1 }), undefined)
      assert.match(schemas.problemOf(schema, {}) ?? '', new RegExp(`field${at}`))
      assert.ok(schemas.size <= 3, String(schemas.size))
    }
  })

  it('secrets: one more than the limit is refused, and existing ones can be changed', async () => {
    await using own = machine()
    const path = join(dirname(own.installed), 'secrets.json')
    writeFileSync(path, JSON.stringify(Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`s${at}`, 'x']))))
    const secrets = secretFile(path)
    await assert.rejects(secrets.set('more', 'y'), /Cannot keep more than 10000 secrets: remove some/)
    await secrets.set('s7', 'z')
    assert.deepEqual([await secrets.get('s7'), (await secrets.names()).length], ['z', 10_000])
  })

  it('clients within the host: the least recently used is closed', async () => {
    const front = relay({
      ...{ name: 'nothing', version: '1', capabilities: {} },
      keys,
      handle: async () => ({}),
    })
    await using own = machine()
    const principals = new Principals(own.store)
    const clients = new InnerClients({ front: () => front, principals: () => principals, maxClients: 2 })
    const [first, second] = [await clients.of('one', 'console'), await clients.of('two', 'console')]
    assert.equal(await clients.of('one', 'console'), first)
    await clients.of('three', 'console')
    assert.equal(clients.size, 2)
    await second.whenClosed
    assert.notEqual(await clients.of('two', 'console'), second)
    await clients.close()
  })

  it('sign-ins of a server: until the server is gone', async () => {
    using folder = temporaryFolder()
    await using host = new Host({ folder: folder.path, unattended: true })
    await host.start()
    const launch = { kind: 'remote', url: 'http://127.0.0.1:9/', headers: {} } as const
    for (let at = 0; at < 20; at += 1) {
      const spec = { name: `server-${at}`, launch }
      await host.apply([spec])
      assert.ok(host.signIns.for(spec))
    }
    assert.equal(host.signIns.size, 1)
  })

  it('questions of an opening that a server never answers: the last hundred', () => {
    const openings = new Openings()
    for (let id = 0; id < 1_000; id += 1) openings.sent({ jsonrpc: '2.0', id, method: 'tools/list' })
    assert.equal(openings.waiting, 100)
  })

  it('waiters for refusals of a sandbox, only for as long as they wait', async () => {
    const refusals = new Refusals()
    await Promise.all(Array.from({ length: 50 }, () => refusals.moreThan(0, 1)))
    assert.equal(refusals.waiting, 0)
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
