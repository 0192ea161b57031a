import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Client, Fields } from '@trunkline/mcp'
import { programFile } from '../../../../tools/lib/program-file.ts'
import { until } from '../../../../tools/lib/until.ts'
import { queryLedger } from '../../src/ledger/query.ts'
import { parseRule } from '../../src/policy/parse-rule.ts'
import type { ServerSpec } from '../../src/servers/server-spec.ts'
import { programSpec, type RunningHost, runningHost, textOf } from '../gateway/running-host.ts'
import { killServer } from '../run/kill-server.ts'
import { callerOf, person, programEntry } from '../run/person.ts'

const revisions = ['2025-11-25', '2026-07-28'] as const
const source = { layer: 'user', file: 'trunkline.json', line: 1 }
const allow = ['one:*', 'two:*'].map((text) => parseRule('allow', text, source))

const fileOf = (program: string) => programFile(new URL(`../programs/${program}.ts`, import.meta.url))
const shelfArgs = [fileOf('shelf')]

/** A server with its name as argument. */
function running(program: string, name: string): ServerSpec {
  const env = { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '' }
  const args = [fileOf(program), name]
  return { name, launch: { kind: 'program', command: process.execPath, args, cwd: '/', env } }
}

const shelf = (name: string): ServerSpec => running('shelf', name)

const shelves = (): Promise<RunningHost> => runningHost({ servers: [shelf('one'), shelf('two')], rules: allow })

const page = async (mcp: Client, cursor?: string) =>
  (await mcp.request('resources/list', cursor === undefined ? {} : { cursor })) as {
    readonly resources: readonly Fields[]
    readonly nextCursor?: string
    readonly _meta?: Fields
  }
const read = async (mcp: Client, uri: string) => {
  const [content] = (await mcp.resources.read(uri)).contents
  return [content?.uri, content && 'text' in content ? content.text : undefined]
}

describe('a list of resources', () => {
  it('leaves out a server that fails, and names it', async () => {
    const gone: ServerSpec = { ...shelf('one'), launch: { ...shelf('one').launch, command: '/nowhere' } as never }
    await using running = await runningHost({ servers: [shelf('two')], rules: allow })
    await running.host.apply([gone, shelf('two')])
    await assert.rejects(running.host.accept('one'))
    await using mcp = await running.dial()
    const failed: unknown[] = []
    const uris: unknown[] = []
    for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
      const { resources, nextCursor, _meta } = await page(mcp, cursor)
      uris.push(...resources.map(({ uri }) => uri))
      failed.push(...((_meta?.['dev.trunkline/failed-servers'] as readonly unknown[] | undefined) ?? []))
      cursor = nextCursor
    }
    assert.deepEqual(uris, ['book:1', 'book:2', 'book:two'])
    assert.match(failed.join(), /^one: Cannot use server "one"/)
  })
})

describe('two servers that use the same addresses', () => {
  let both: RunningHost
  before(async () => {
    both = await shelves()
  })
  after(() => both?.[Symbol.asyncDispose]())

  it('are listed page by page, from server to server, with a cursor that a caller cannot read, make or lend', async () => {
    await using mcp = await both.dial()
    const first = await page(mcp)
    assert.deepEqual(
      first.resources.map(({ uri }) => uri),
      ['book:1', 'book:2'],
    )
    const cursor = first.nextCursor ?? ''
    assert.ok(!Buffer.from(cursor, 'base64url').toString('latin1').includes('one'))
    const second = await page(mcp, cursor)
    assert.deepEqual(
      second.resources.map(({ uri }) => uri),
      ['book:one'],
    )
    const third = await page(mcp, second.nextCursor)
    assert.deepEqual(
      third.resources.map(({ uri }) => uri),
      ['trunkline+two:book:1', 'trunkline+two:book:2'],
    )
    await assert.rejects(page(mcp, `${cursor.slice(0, -2)}AA`), /"cursor" is not one that this list gave/)
    await assert.rejects(page(mcp, 'WyJvbmUiLG51bGxd'), /"cursor" is not one that this list gave/)
    await using other = await both.dial('', { name: 'other' })
    await assert.rejects(page(other, cursor), /"cursor" is not one that this list gave/)
  })

  it('the first owns them; the other is reached by a form that names it, in lists, reads, links and completion', async () => {
    await using mcp = await both.dial()
    const uris = (await mcp.resources.list().all()).map(({ uri }) => uri)
    assert.deepEqual(uris, ['book:1', 'book:2', 'book:one', 'trunkline+two:book:1', 'trunkline+two:book:2', 'book:two'])
    assert.deepEqual(await read(mcp, 'book:1'), ['book:1', 'book 1 of one'])
    assert.deepEqual(await read(mcp, 'trunkline+two:book:1'), ['trunkline+two:book:1', 'book 1 of two'])
    assert.deepEqual(await read(mcp, 'book:two'), ['book:two', 'the book of two'])
    const { cacheScope } = await mcp.request('resources/read', { uri: 'book:two' })
    assert.equal(cacheScope, 'private', 'what one caller may read is kept for others')
    await assert.rejects(read(mcp, 'trunkline+three:book:1'), /no server here has it/)

    const templates = (await mcp.resources.templates().all()).map(({ uriTemplate }) => uriTemplate)
    assert.deepEqual(templates, ['page:{number}', 'trunkline+two:page:{number}'])
    assert.deepEqual(await read(mcp, 'page:4'), ['page:4', 'page 4 of one'])
    assert.deepEqual(await read(mcp, 'trunkline+two:page:4'), ['trunkline+two:page:4', 'page 4 of two'])
    const number = async (template: string) => (await mcp.complete({ template, argument: 'number' }, '')).values
    assert.deepEqual(await number('page:{number}'), ['one-7'])
    assert.deepEqual(await number('trunkline+two:page:{number}'), ['two-7'])

    const linked = async (tool: string) => JSON.stringify((await mcp.tools.call(tool, {})).content)
    assert.match(await linked('one__read_links'), /"uri":"book:1".*"uri":"page:3".*"text":"book:1"/)
    assert.match(
      await linked('two__read_links'),
      /"uri":"trunkline\+two:book:1".*"uri":"trunkline\+two:page:3".*"text":"book:1"/,
    )
    const { messages } = await mcp.prompts.get('two__quote', {})
    assert.match(JSON.stringify(messages), /"uri":"trunkline\+two:book:1"/)
  })

  it('the first accepted is the first, wherever it stands in the configuration', async () => {
    await using running = await runningHost({ servers: [shelf('two'), shelf('one')], rules: allow })
    await running.host.apply([shelf('one'), shelf('two')])
    await using mcp = await running.dial()
    assert.deepEqual(await read(mcp, 'page:4'), ['page:4', 'page 4 of two'])
    const uris = (await mcp.resources.list().all()).map(({ uri }) => uri)
    assert.deepEqual(uris, ['book:1', 'book:2', 'book:two', 'trunkline+one:book:1', 'trunkline+one:book:2', 'book:one'])
    assert.deepEqual(await read(mcp, 'book:1'), ['book:1', 'book 1 of two'])
  })

  it('a result kept aside belongs to its principal alone, whichever server it came from', async () => {
    await using running = await runningHost({
      servers: [shelf('one'), shelf('two')],
      rules: allow,
      maxResultBytes: () => 100,
    })
    await using mcp = await running.dial()
    const result = JSON.stringify((await mcp.tools.call('one__read_links', {})).content)
    const [link = ''] = /trunkline:\/\/result\/[\w-]+/.exec(result) ?? []
    assert.notEqual(link, '')
    assert.equal(running.host.catalogue.owners.ownerOf('resource', link), undefined)
    assert.equal((await mcp.resources.read(link)).contents.length, 3)
  })

  it('each has its own addresses at an address of its own', async () => {
    await using all = await both.dial()
    await all.resources.list().all()
    await using two = await both.dial('/server/two', { name: 'other' })
    assert.deepEqual(
      (await two.resources.list().all()).map(({ uri }) => uri),
      ['book:1', 'book:2', 'book:two'],
    )
    assert.deepEqual(await read(two, 'book:1'), ['book:1', 'book 1 of two'])
    assert.match(JSON.stringify((await two.tools.call('read_links', {})).content), /"uri":"book:1"/)
  })

  it('an owned address stays so whatever is configured first, until its server is removed', async () => {
    await using running = await shelves()
    await using mcp = await running.dial()
    await mcp.resources.list().all()
    await running.host.apply([shelf('two'), shelf('one')])
    assert.deepEqual(await read(mcp, 'book:1'), ['book:1', 'book 1 of one'])
    assert.deepEqual(await read(mcp, 'page:4'), ['page:4', 'page 4 of one'])
    await running.host.apply([shelf('two')])
    await running.host.catalogue.owners.keepOnly(new Set(['two']))
    await mcp.resources.list().all()
    await running.host.apply([shelf('one'), shelf('two')])
    await mcp.resources.list().all()
    assert.deepEqual(await read(mcp, 'book:1'), ['book:1', 'book 1 of two'])
    assert.deepEqual(await read(mcp, 'trunkline+one:book:1'), ['trunkline+one:book:1', 'book 1 of one'])
  })
})

describe('a server that is removed from the configuration', () => {
  it('owns nothing any more', async () => {
    using ann = person()
    const entry = (name: string) => programEntry('shelf', { args: [...shelfArgs, name] })
    ann.configure({ mcpServers: { one: entry('one'), two: entry('two') } })
    await using running = await ann.run()
    for (const name of ['one', 'two']) await running.host.accept(name)
    await using mcp = await callerOf(running)
    await mcp.resources.list().all()
    const { owners } = running.host.catalogue
    assert.equal(owners.ownerOf('resource', 'book:1'), 'one')
    ann.configure({ mcpServers: { two: entry('two') } })
    await until(() => owners.ownerOf('resource', 'book:1') === undefined)
    await mcp.resources.list().all()
    assert.equal(owners.ownerOf('resource', 'book:1'), 'two')
  })
})

describe('an unlisted address', () => {
  it('is asked for at servers with resources, first accepted first, and belongs to the one that has it', async () => {
    const without = programSpec('tools')
    const servers = [without, ...['one', 'two', 'three'].map((name) => running('unlisted', name))]
    await using host = await runningHost({ servers, rules: [...allow, parseRule('allow', 'three:*', source)] })
    // cacheable answers are asked for each time: the host keeps nothing, and neither does this caller
    await using mcp = await host.dial('', { cache: false })
    const asked = async () =>
      Promise.all(['one', 'two', 'three'].map(async (name) => textOf(await mcp.tools.call(`${name}__read_asked`, {}))))
    assert.deepEqual(await read(mcp, 'hidden:two'), ['hidden:two', 'hidden in two'])
    assert.deepEqual(await asked(), ['hidden:two', 'hidden:two', ''])
    assert.equal(host.host.catalogue.owners.ownerOf('resource', 'hidden:two'), 'two')
    assert.deepEqual(await read(mcp, 'hidden:two'), ['hidden:two', 'hidden in two'])
    assert.deepEqual(await asked(), ['hidden:two', 'hidden:two,hidden:two', ''])
    for (const _ of [1, 2]) await assert.rejects(read(mcp, 'nowhere:1'), /"nowhere:1": no server here has it/)
    assert.deepEqual(await asked(), ['hidden:two,nowhere:1', 'hidden:two,hidden:two,nowhere:1', 'nowhere:1'])
    const reads = queryLedger(host.host.store, { target: 'nowhere:1' }).filter(({ line }) => line.kind === 'ended')
    assert.deepEqual(reads.map(({ line }) => line.server).sort(), ['one', 'three', 'two'])
    await assert.rejects(mcp.complete({ template: 'nowhere:{x}', argument: 'x' }, ''), /no server here has it/)
  })

  it('can be watched before it was read, and changes come from the server that has it', async () => {
    const servers = [programSpec('tools'), ...['one', 'two'].map((name) => running('unlisted', name))]
    await using host = await runningHost({ servers, rules: allow })
    const heard: string[] = []
    const hear = (revision: string) => async (mcp: Client) => {
      const note = (change: { readonly kind: string; readonly uri?: string }) =>
        void (change.kind === 'resource' && heard.push(`${revision} ${change.uri}`))
      return mcp.watch({ uris: ['hidden:two'] }, note)
    }
    await using old = await host.dial('', { revisions: ['2025-11-25'], name: 'old' })
    await using young = await host.dial('', { revisions: ['2026-07-28'], name: 'young' })
    const watching = [await hear('old')(old), await hear('young')(young)]
    await until(() => host.host.servers.get('two')?.isConnected === true && host.host.watchers.size === 2)
    await until(async () => {
      await old.tools.call('two__read_change', {})
      return new Set(heard).size === 2
    })
    assert.deepEqual([...new Set(heard)].sort(), ['old hidden:two', 'young hidden:two'])
    assert.equal(host.host.servers.get('tools')?.status.calls, 0)
    for (const one of watching) await one.close()
    await until(() => host.host.watchers.size === 0)
  })

  it('names servers that could not be asked', async () => {
    const gone: ServerSpec = { ...shelf('one'), launch: { ...shelf('one').launch, command: '/nowhere' } as never }
    await using host = await runningHost({ servers: [shelf('one'), shelf('two')], rules: allow })
    await host.host.apply([gone, shelf('two')])
    await using mcp = await host.dial()
    await assert.rejects(read(mcp, 'nowhere:1'), /no server here has it; these could not be asked: one: /)
  })
})

describe('a server with a copy for each caller', () => {
  it('is listed, read and watched in the copy of the caller, who alone hears of it', async () => {
    await using host = await runningHost({ servers: [{ ...shelf('one'), perCaller: true }], rules: allow })
    await using ann = await host.dial('', { name: 'ann' })
    await using bob = await host.dial('', { name: 'bob' })
    const heard = { ann: [] as string[], bob: [] as string[] }
    const watch = (mcp: Client, to: string[]) =>
      mcp.watch({ uris: ['book:1'], resources: true }, (change) =>
        to.push(change.kind === 'resource' ? change.uri : change.kind),
      )
    await watch(ann, heard.ann)
    await watch(bob, heard.bob)
    const watched = async (mcp: Client) => textOf(await mcp.tools.call('one__watched', {}))
    await until(async () => (await watched(ann)) === '1' && (await watched(bob)) === '1')
    assert.equal(host.host.watchers.size, 2)
    await ann.tools.call('one__touch', { uri: 'book:1' })
    await until(() => heard.ann.length === 1)
    await bob.tools.call('one__toggle', {})
    await until(() => heard.bob.length === 1)
    assert.deepEqual(heard, { ann: ['book:1'], bob: ['resources'] })
    assert.equal((await ann.resources.list().all()).length, 3)
    assert.equal((await bob.resources.list().all()).length, 2)
    await assert.rejects(bob.resources.read('book:2'))
    assert.deepEqual(await read(ann, 'book:2'), ['book:2', 'book 2 of one'])

    await ann.tools.call('one__crash', {})
    await until(async () => (await watched(ann)) === '1')
    await until(() => heard.ann.length === 2)
    await ann.tools.call('one__touch', { uri: 'book:1' })
    await until(() => heard.ann.length === 3)
    assert.deepEqual(heard, { ann: ['book:1', 'book:1', 'book:1'], bob: ['resources'] })
  })
})

describe('a watched resource', () => {
  let both: RunningHost
  before(async () => {
    both = await shelves()
  })
  after(() => both?.[Symbol.asyncDispose]())

  it('has one subscription at its server however many watch; after a crash each hears of it once, and of changes again', async () => {
    await using ann = await both.dial('', { name: 'ann' })
    await using bob = await both.dial('', { name: 'bob' })
    await ann.resources.list().all()
    const heard = { ann: [] as string[], bob: [] as string[] }
    const uri = 'trunkline+two:book:1'
    const watch = (mcp: Client, to: string[]) =>
      mcp.watch({ uris: [uri] }, (change) => void (change.kind === 'resource' && to.push(change.uri)))
    const watching = [await watch(ann, heard.ann), await watch(bob, heard.bob)]
    const watched = async () => textOf(await ann.tools.call('two__watched', {}))
    await until(async () => (await watched()) === '1')
    assert.equal(both.host.watchers.size, 1)
    await ann.tools.call('two__touch', { uri: 'book:1' })
    await until(() => heard.ann.length > 0 && heard.bob.length > 0)
    assert.deepEqual(heard, { ann: [uri], bob: [uri] })

    await ann.tools.call('two__crash', {})
    await until(async () => (await watched()) === '1')
    await until(() => heard.ann.length > 1 && heard.bob.length > 1)
    await ann.tools.call('two__touch', { uri: 'book:1' })
    await until(() => heard.ann.length > 2 && heard.bob.length > 2)
    assert.deepEqual(heard, { ann: [uri, uri, uri], bob: [uri, uri, uri] })

    // it comes back without a call
    killServer(both.host.servers.get('two'))
    await until(() => heard.ann.length > 3 && heard.bob.length > 3)
    await ann.tools.call('two__touch', { uri: 'book:1' })
    await until(() => heard.ann.length > 4 && heard.bob.length > 4)

    await watching[0]?.close()
    await ann.tools.call('two__touch', { uri: 'book:1' })
    await until(() => heard.bob.length > 5)
    assert.equal(heard.ann.length, 5)
    await watching[1]?.close()
    await until(async () => (await watched()) === '0')
    assert.equal(both.host.watchers.size, 0)
  })

  for (const revision of revisions) {
    it(`is subscribed to at its server before its caller is answered, so that no update is lost (${revision})`, async () => {
      await using ann = await both.dial('', { name: 'ann', revisions: [revision] })
      await ann.resources.list().all()
      const watched = async () => textOf(await ann.tools.call('one__watched', {}))
      for (let round = 1; round <= 16; round += 1) {
        const heard: string[] = []
        const watching = await ann.watch(
          { uris: ['book:1'] },
          (change) => void (change.kind === 'resource' && heard.push(change.uri)),
        )
        assert.equal(await watched(), '1', `round ${round}`)
        await ann.tools.call('one__touch', { uri: 'book:1' })
        await until(() => heard.length > 0)
        await watching.close()
        await until(async () => (await watched()) === '0')
      }
    })
  }
})

describe('a resource with a rule about watching it', () => {
  let running: RunningHost
  before(async () => {
    const deny = parseRule('deny', 'two:@watch{uri~book:1}', source)
    running = await runningHost({ servers: [shelf('one'), shelf('two')], rules: [...allow, deny] })
  })
  after(() => running?.[Symbol.asyncDispose]())

  for (const revision of revisions) {
    it(`is watched as the policy permits, and either way that is recorded (${revision})`, async () => {
      const name = `ann-${revision}`
      await using ann = await running.dial('', { name, revisions: [revision] })
      await ann.resources.list().all()
      const refused = ann.watch({ uris: ['trunkline+two:book:1'] }, () => {})
      await assert.rejects(refused, /The policy denies watch "book:1" of server "two": the rule deny/)
      assert.equal(running.host.watchers.size, 0)
      const allowed = await ann.watch({ uris: ['book:1', 'trunkline+two:book:2'] }, () => {})
      await until(() => running.host.watchers.size === 2)
      const said = () =>
        queryLedger(running.host.store, {})
          .filter(({ line }) => line.actKind === 'watch' && line.principal === name)
          .map(({ line }) => [line.kind, line.server, line.target, line.outcome].join(' '))
      // a client may have asked more than once before it was refused
      await until(() => new Set(said()).size >= 3)
      assert.deepEqual([...new Set(said())].sort(), [
        'ended one book:1 ok',
        'ended two book:2 ok',
        'refused two book:1 denied',
      ])
      await allowed.close()
      await until(() => running.host.watchers.size === 0)
    })
  }
})
