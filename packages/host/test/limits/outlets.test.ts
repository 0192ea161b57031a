import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Client } from '@trunkline/mcp'
import { until } from '../../../../tools/lib/until.ts'
import { type ServerKey, serverKey, serverNameOf } from '../../src/act/server-key.ts'
import type { RunningHost } from '../../src/running/run-host-types.ts'
import { authority, startProxy, startUpstream } from '../challenges/proxy-world.ts'
import { textOf } from '../gateway/running-host.ts'
import { answer, person, programEntry } from '../run/person.ts'
import { callerIn, namesOf, project, questionIn } from '../run/working-in.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const reads = { classes: { search_web: 'reads', read_note: 'reads', get_name: 'reads' } }

describe('after private and untrusted reads, a read asks where its arguments leave', () => {
  const folder = temporaryFolder()
  const things = new AsyncDisposableStack()
  let remote: object
  let proxied: object

  before(async () => {
    const upstream = things.use(await startUpstream(authority(folder.path)))
    const proxy = things.use(await startProxy())
    remote = { url: `${upstream.plain}/mcp`, type: 'http', ...reads }
    proxied = { network: { proxy: proxy.url } }
  })
  after(async () => {
    await things.disposeAsync()
    folder[Symbol.dispose]()
  })

  const marked = () => ({
    vault: programEntry('upstream', { data: 'private' }),
    web: programEntry('upstream', { data: 'untrusted' }),
  })
  const outlets = () => ({ reach: programEntry('open-world', reads), far: remote })

  async function accepted(running: RunningHost, root?: string): Promise<Client> {
    const mcp = await callerIn(running, root)
    await namesOf(mcp)
    if (root !== undefined && running.state?.waiting.length) {
      await answer(running, await questionIn(running, 'file', root), 'once')
      await until(() => running.host.specs.some((spec) => spec.project === root))
    }
    for (const { name } of running.host.specs) await running.host.accept(name)
    return mcp
  }

  async function tainted(mcp: Client): Promise<void> {
    for (const server of ['vault', 'web']) await mcp.tools.call(`${server}__echo`, { text: 'x' })
  }

  const called = async (mcp: Client, name: string) => textOf(await mcp.tools.call(name, { text: 'secret' }))

  async function asksAtOutletsAlone(mcp: Client): Promise<void> {
    assert.equal(await called(mcp, 'reach__read_note'), 'secret')
    assert.match(await called(mcp, 'reach__search_web'), /waits for a person's approval/)
    assert.match(await called(mcp, 'far__get_name'), /waits for a person's approval/)
  }

  it("the person's own server: one on another machine, and a tool of the open world", async () => {
    using ann = person()
    ann.configure({ ...proxied, mcpServers: { ...marked(), ...outlets() } })
    await using running = await ann.run()
    await using mcp = await accepted(running)
    assert.equal(await called(mcp, 'reach__search_web'), 'secret')
    assert.equal(await called(mcp, 'far__get_name'), 'upstream')
    await tainted(mcp)
    await asksAtOutletsAlone(mcp)
  })

  it("a project's server, which is kept by another key than its name", async () => {
    using ann = person()
    ann.configure({ ...proxied, mcpServers: marked() })
    const shop = project(ann, 'shop', { mcpServers: outlets() })
    await using running = await ann.run()
    await using mcp = await accepted(running, shop)
    assert.equal(await called(mcp, 'reach__search_web'), 'secret')
    await tainted(mcp)
    await asksAtOutletsAlone(mcp)
  })

  it('a server of a project is marked by its own entry, not by one of the same name elsewhere', async () => {
    using ann = person()
    ann.configure({ mcpServers: marked() })
    // "reach" of the blog is private, so data sent to it stay; that of the shop is not
    const blog = project(ann, 'blog', {
      mcpServers: { reach: programEntry('open-world', { ...reads, data: 'private' }) },
    })
    const shop = project(ann, 'shop', { mcpServers: { reach: programEntry('open-world', reads) } })
    await using running = await ann.run()
    await using inBlog = await accepted(running, blog)
    await using inShop = await accepted(running, shop)
    await tainted(inBlog)
    await tainted(inShop)
    assert.equal(await called(inBlog, 'reach__search_web'), 'secret')
    assert.match(await called(inShop, 'reach__search_web'), /waits for a person's approval/)
  })
})

describe('names and keys of servers', () => {
  it('do not compile into each other', () => {
    const key = serverKey('files', '/home/ann/shop')
    const name = serverNameOf(key)
    const byKey = new Map<ServerKey, string>([[key, 'of the shop']])
    // @ts-expect-error what is kept by key is not found by name
    assert.equal(byKey.get(name), undefined)
    // @ts-expect-error a key is not what people and rules call a server
    assert.notEqual(serverKey(key), name)
    assert.equal(byKey.get(key), 'of the shop')
    assert.equal(name, 'files')
  })
})
