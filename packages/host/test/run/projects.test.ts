import assert from 'node:assert/strict'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { type Client, type ClientOptions, connect, type Root } from '@trunkline/mcp'
import { programFile } from '../../../../tools/lib/program-file.ts'
import { until } from '../../../../tools/lib/until.ts'
import { apiClient } from '../../src/api/client.ts'
import { projectHeader } from '../../src/gateway/bridge/line-protocol.ts'
import { textOf } from '../gateway/running-host.ts'
import { answer, person, programEntry, questionOf } from './person.ts'
import { acceptProject, callerIn, namesOf, project, questionIn } from './working-in.ts'

const where = (more: object = {}) => ({ mcpServers: { where: programEntry('where', more) } })

describe('two projects at once', () => {
  it('each have their own server of the same name, process, directory and rules, and do not see the other', async () => {
    using ann = person()
    const shop = project(ann, 'shop', where())
    const blog = project(ann, 'blog', { ...where(), policy: { deny: ['where:read_pid'] } })
    await using running = await ann.run({ endsWhenIdle: true })
    await using inShop = await callerIn(running, shop)
    await using inBlog = await callerIn(running, blog)
    assert.deepEqual(await namesOf(inShop), [])
    assert.deepEqual(await namesOf(inBlog), [])
    await acceptProject(running, shop)
    assert.deepEqual(await namesOf(inShop), ['where__read_pid', 'where__read_roots', 'where__read_where'])
    assert.deepEqual(await namesOf(inBlog), [], 'a project has what another accepted')
    await acceptProject(running, blog)
    const said = async (mcp: Client, tool: string) => textOf(await mcp.tools.call(`where__${tool}`, {}))
    assert.equal(await said(inShop, 'read_where'), shop)
    assert.equal(await said(inBlog, 'read_where'), blog)
    assert.match(await said(inShop, 'read_pid'), /^\d+$/)
    assert.match(await said(inBlog, 'read_pid'), /The policy denies/)
    assert.match(await said(inBlog, 'read_roots'), new RegExp(pathToFileURL(blog).href))
    await using nowhere = await callerIn(running)
    assert.deepEqual(await namesOf(nowhere), [])

    const api = apiClient(JSON.parse(readFileSync(running.runningFile, 'utf8')))
    const { items } = await api.call('servers')
    assert.deepEqual(items.map(({ name, project: root }) => [name, root]).sort(), [
      ['where', blog],
      ['where', shop],
    ])
    await assert.rejects(api.call('restart', { server: 'where' }), /Cannot tell which server "where" is meant/)
    await api.call('restart', { server: items[0]?.key ?? '' })
  })

  it('share a server of the person that does not depend on them', async () => {
    using ann = person()
    const [shop, blog] = [
      project(ann, 'shop'),
      project(ann, 'blog', { mcpServers: { where: { tools: { except: ['read_roots'] } } } }),
    ]
    ann.configure(where())
    await using running = await ann.run({ endsWhenIdle: true })
    await running.host.accept('where')
    await using inShop = await callerIn(running, shop)
    await using nowhere = await callerIn(running)
    const pid = async (mcp: Client) => textOf(await mcp.tools.call('where__read_pid', {}))
    assert.equal(await pid(inShop), await pid(nowhere))
    // a project that leaves out a tool has the server as it was accepted, and leaves it out for no other project
    await using inBlog = await callerIn(running, blog)
    assert.deepEqual(await namesOf(inBlog), ['where__read_pid', 'where__read_where'])
    assert.equal((await namesOf(inShop)).length, 3)
    assert.deepEqual(running.host.inbox.open, [])
  })

  it('sharing: project gives each its own process, sharing: caller each caller', async () => {
    using ann = person()
    const [shop, blog] = [project(ann, 'shop'), project(ann, 'blog')]
    const each = { each: programEntry('where', { sharing: 'project', cwd: '/' }) }
    const own = { own: programEntry('where', { sharing: 'caller', cwd: '/' }) }
    ann.configure({ mcpServers: { ...each, ...own } })
    await using running = await ann.run({ endsWhenIdle: true })
    await using inShop = await callerIn(running, shop)
    await using inBlog = await callerIn(running, blog)
    for (const mcp of [inShop, inBlog]) await namesOf(mcp)
    for (const { name } of running.host.specs) await running.host.accept(name)
    const pid = async (mcp: Client, server: string) => textOf(await mcp.tools.call(`${server}__read_pid`, {}))
    assert.notEqual(await pid(inShop, 'each'), await pid(inBlog, 'each'))
    await using another = await callerIn(running, shop)
    assert.equal(await pid(inShop, 'each'), await pid(another, 'each'))
    const { token } = await running.host.principals.make({ name: 'chat' })
    const headers = { authorization: `Bearer ${token}`, ...projectHeader(shop) }
    await using chat = await connect(new URL(running.host.url), { http: { headers } })
    assert.notEqual(await pid(inShop, 'own'), await pid(chat, 'own'))
    assert.equal(await pid(inShop, 'own'), await pid(another, 'own'), 'a caller is a program, however it connects')
    assert.equal(running.host.servers.copies, 2)
  })
})

describe('the resources of two projects', () => {
  it('belong to the servers of each; none takes an address from the other', async () => {
    using ann = person()
    const shelf = (name: string) => {
      const file = programFile(new URL('../programs/shelf.ts', import.meta.url))
      return { mcpServers: { [name]: programEntry('shelf', { args: [file, name] }) } }
    }
    const [shop, blog] = [project(ann, 'shop', shelf('goods')), project(ann, 'blog', shelf('posts'))]
    ann.configure(where())
    await using running = await ann.run({ endsWhenIdle: true })
    await running.host.accept('where')
    const listed = async (root: string) => {
      await using mcp = await callerIn(running, root)
      await namesOf(mcp)
      await acceptProject(running, root)
      return (await mcp.resources.list().all()).map(({ uri }) => uri)
    }
    assert.deepEqual(await listed(shop), ['book:1', 'book:2', 'book:goods'])
    assert.deepEqual(await listed(blog), ['book:1', 'book:2', 'book:posts'])
  })
})

describe('a server that asks for roots when it starts', () => {
  it('gets the roots of the caller whose copy it is, also of one without a session, else its project', async () => {
    using ann = person()
    const shop = project(ann, 'shop')
    ann.configure({ mcpServers: { rooted: programEntry('roots-at-start', { sharing: 'caller', cwd: '/' }) } })
    await using running = await ann.run({ endsWhenIdle: true })
    await running.host.accept('rooted')
    const rootsOf = async (name: string, directory?: string, options: ClientOptions = {}) => {
      const { token } = await running.host.principals.make({ name })
      const headers = { authorization: `Bearer ${token}`, ...(directory !== undefined && projectHeader(directory)) }
      await using mcp = await connect(new URL(running.host.url), { ...options, http: { headers } } as ClientOptions)
      return JSON.parse(textOf(await mcp.tools.call('rooted__read_roots', {})))
    }
    const roots = [{ uri: 'file:///elsewhere', name: 'elsewhere' }]
    assert.deepEqual(await rootsOf('stateless', undefined, { roots, revisions: ['2026-07-28'] }), roots)
    assert.deepEqual(await rootsOf('session', undefined, { roots, revisions: ['2025-11-25'] }), roots)
    const own = [{ uri: pathToFileURL(shop).href, name: shop }]
    assert.deepEqual(await rootsOf('rootless', shop, { revisions: ['2026-07-28'] }), own)
  })

  it('gets the roots that the person set for the project before all others, and is told when they change', async () => {
    using ann = person()
    const shop = project(ann, 'shop')
    const servers = { rooted: programEntry('roots-at-start', { sharing: 'project', cwd: '/' }) }
    ann.configure({ mcpServers: servers, projects: { [shop]: { roots: ['~/shared', '/goods'] } } })
    await using running = await ann.run({ endsWhenIdle: true })
    await running.host.accept('rooted')
    const roots = [{ uri: 'file:///elsewhere' }]
    await using mcp = await callerIn(running, shop, { roots, revisions: ['2025-11-25'] })
    const given = async () =>
      JSON.parse(textOf(await mcp.tools.call('rooted__read_roots', {}))).map(({ name }: Root) => name)
    assert.deepEqual(await given(), [join(ann.home, 'shared'), '/goods'])
    ann.configure({ mcpServers: servers, projects: { [shop]: { roots: ['/goods'] } } })
    running.config.refresh()
    await until(async () => (await given()).length === 1)
    assert.deepEqual(await given(), ['/goods'])
  })
})

describe('the project of a caller', () => {
  it('is its directory by whatever path, else its first root, and never the home directory', async () => {
    using ann = person()
    const shop = project(ann, 'shop', where())
    await using running = await ann.run({ endsWhenIdle: true })
    symlinkSync(shop, join(ann.home, 'link'))
    await using linked = await callerIn(running, join(ann.home, 'link'))
    await namesOf(linked)
    await acceptProject(running, shop)
    assert.equal((await namesOf(linked)).length, 3)
    const roots = [{ uri: pathToFileURL(shop).href }]
    await using rooted = await callerIn(running, undefined, { roots, revisions: ['2025-11-25'] })
    assert.equal((await namesOf(rooted)).length, 3)
    await using atHome = await callerIn(running, ann.home)
    assert.deepEqual(await namesOf(atHome), [])
    await using gone = await callerIn(running, join(ann.home, 'gone'))
    await assert.rejects(namesOf(gone), /Cannot work in ".*gone": there is no such directory/)
  })
})

describe("a project's file", () => {
  it('is asked about as a diff, and does nothing permissive until then', async () => {
    using ann = person()
    const shop = project(ann, 'shop', { policy: { allow: ['*:*'] } })
    await using running = await ann.run({ endsWhenIdle: true })
    await using mcp = await callerIn(running, shop)
    await namesOf(mcp)
    const first = await questionIn(running, 'file', shop)
    assert.deepEqual(first.detail.changes, ['+ policy.allow = ["*:*"]'])
    assert.equal(running.host.projects.of(shop).policy.rules.length, 0)
    await answer(running, first, 'once')
    await until(() => running.host.projects.of(shop).policy.rules.length === 1)
    writeFileSync(join(shop, 'trunkline.json'), JSON.stringify({ policy: { allow: ['a:*'] } }))
    const second = await questionOf(running, 'file')
    assert.deepEqual(second.detail.changes, ['- policy.allow = ["*:*"]', '+ policy.allow = ["a:*"]'])
    await until(() => running.host.projects.of(shop).policy.rules.length === 0)
    project(ann, 'shop', { policy: { deny: ['a:*'] } })
    await until(() => running.host.inbox.open.length === 0)
  })
})

describe('projects that are open', () => {
  it("keep the problems of the person's models reported, until they are mended", async () => {
    using ann = person()
    const model = (key: string) => ({ models: { best: { provider: 'anthropic', name: 'a-model', key } } })
    ann.configure(model('secret:none'))
    await using running = await ann.run({ endsWhenIdle: true })
    const said = () => running.state.problems.map(({ key }) => key)
    assert.deepEqual(said(), ['models.best.key'])
    await using mcp = await callerIn(running, project(ann, 'shop'))
    await namesOf(mcp)
    assert.equal(running.host.projects.roots.length, 1)
    assert.deepEqual(said(), ['models.best.key'])
    const api = apiClient(JSON.parse(readFileSync(running.runningFile, 'utf8')))
    await assert.rejects(api.call('startChat', {}), /there is no secret "none"/)
    await running.secrets.set('none', 'a key')
    await until(() => said().length === 0)
    assert.equal((await api.call('models')).problem, undefined)
  })

  it('are limited, and close when idle; the next call opens them again', async () => {
    using ann = person()
    ann.configure({ mcpServers: { where: programEntry('where', { sharing: 'project', cwd: '/' }) } })
    const roots = ['one', 'two', 'three'].map((name) => project(ann, name))
    await using running = await ann.run({ endsWhenIdle: true, projects: { maxProjects: 2 } })
    const [first = '', ...others] = roots
    await using inFirst = await callerIn(running, first)
    await namesOf(inFirst)
    await running.host.accept(running.host.specs.find((spec) => spec.project === first)?.name ?? '')
    const pid = Number(textOf(await inFirst.tools.call('where__read_pid', {})))
    for (const root of others) {
      await using mcp = await callerIn(running, root)
      await namesOf(mcp)
    }
    await until(() => running.host.projects.roots.length === 2)
    assert.deepEqual([...running.host.projects.roots].sort(), [...others].sort())
    await until(() => !isAlive(pid))
    assert.match(textOf(await inFirst.tools.call('where__read_pid', {})), /^\d+$/)
  })

  it('and idle are closed', async () => {
    using ann = person()
    const shop = project(ann, 'shop')
    await using running = await ann.run({ endsWhenIdle: true, projects: { idleMs: 1 }, tidyMs: 20 })
    await using mcp = await callerIn(running, shop)
    await namesOf(mcp)
    await until(() => running.host.projects.roots.length === 0)
    assert.deepEqual(running.host.specs, [])
  })
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
