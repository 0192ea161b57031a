import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { type Client, connect, server } from '@trunkline/mcp'
import { serveHttp } from '@trunkline/mcp/node'
import { z } from 'zod'
import { until } from '../../../../tools/lib/until.ts'
import type { RunningHost } from '../../src/running/run-host-types.ts'
import { textOf } from '../gateway/running-host.ts'
import { killServer } from '../run/kill-server.ts'
import { answer, callerOf, person, programEntry, questionOf } from '../run/person.ts'
import { acceptProject, callerIn, namesOf, project } from '../run/working-in.ts'

/** A server of version 1 or 2: the second has a tool more and describes the other one anew. */
function notes(version: 1 | 2) {
  const description = version === 1 ? 'Reads a note' : 'Reads a note, and says when it was written'
  const own = server({ name: 'notes', version: `${version}.0.0`, instructions: `Ids of version ${version}` }).tool(
    'read_note',
    { description, input: z.object({ id: z.string() }) },
    ({ id }) => `note ${id} of version ${version}`,
  )
  return version === 1 ? own : own.tool('search_notes', {}, () => 'found')
}

describe('a month', () => {
  it('a server updates: calls go on, the model sees the accepted definition, one question brings the rest', async () => {
    using ann = person()
    const first = await serveHttp(notes(1), { port: 0 })
    const { port } = new URL(first.url)
    const mcpServers = { notes: { type: 'http', url: first.url } }
    ann.configure({ mcpServers })
    await using running = await ann.run()
    await running.host.accept('notes')
    await using mcp = await callerOf(running)
    assert.equal(mcp.instructions, '[server notes]\nIds of version 1')
    assert.equal(textOf(await mcp.tools.call('notes__read_note', { id: '1' })), 'note 1 of version 1')
    await first.close()
    await using _second = await serveHttp(notes(2), { port: Number(port) })
    const asked = questionOf(running, 'definition')
    await running.host.servers.get('notes')?.restart()
    await until(() => running.host.catalogue.find('notes', 'tool', 'read_note')?.standing === 'changed')
    assert.equal(textOf(await mcp.tools.call('notes__read_note', { id: '2' })), 'note 2 of version 2')
    const names = async () => (await mcp.tools.list().all()).map(({ name, description }) => `${name}: ${description}`)
    assert.deepEqual(await names(), ['notes__read_note: Reads a note'])
    const refused = await mcp.tools.call('notes__search_notes', {})
    assert.match(textOf(refused), /"search_notes" of server "notes" cannot be used: it was not accepted yet/)
    const opened = async () => {
      await using another = await callerOf(running, 'another')
      return another.instructions
    }
    assert.equal(await opened(), '[server notes]\nIds of version 1', 'a model reads what nobody accepted')

    // strict definitions take effect at once
    ann.configure({ mcpServers, policy: { definitions: 'strict' } })
    await until(() => running.host.projects.usual.isStrict)
    assert.match(textOf(await mcp.tools.call('notes__read_note', { id: '3' })), /cannot be used: .*a person has to/)
    assert.equal(running.host.inbox.open.length, 1, 'one question for all of an update')
    await answer(running, await asked, 'always')
    await until(() => running.host.catalogue.find('notes', 'tool', 'search_notes')?.standing === 'usable')
    assert.equal((await names()).length, 2)
    assert.equal(textOf(await mcp.tools.call('notes__read_note', { id: '4' })), 'note 4 of version 2')
    assert.equal(await opened(), '[server notes]\nIds of version 2')
  })

  it('a reboot: acceptances, rules and questions are there, and the first call starts its server', async () => {
    using ann = person()
    ann.configure({ mcpServers: { one: programEntry() } })
    // the editor has its token in a file, and comes back with it
    let callerAgain: (running: RunningHost) => Promise<Client> = () => assert.fail()
    {
      await using running = await ann.run()
      await running.host.accept('one')
      const { token } = await running.host.principals.make({ name: 'editor' })
      const http = { headers: { authorization: `Bearer ${token}` } }
      callerAgain = ({ host }) => connect(new URL(host.url), { http })
      await using mcp = await callerAgain(running)
      const asked = questionOf(running, 'call')
      await mcp.tools.call('one__write', { text: 'a' })
      await answer(running, await asked, 'session')
      await mcp.tools.call('one__grow', { bytes: 1 })
    }
    await using running = await ann.run()
    assert.equal(running.host.inbox.open.length, 1, 'who asked before asks still')
    assert.equal(running.host.servers.get('one')?.status.starts, 0)
    assert.ok(running.host.isAccepted('one'))
    await using mcp = await callerAgain(running)
    assert.equal(textOf(await mcp.tools.call('one__write', { text: 'b' })), 'b', 'what was allowed is allowed')
    assert.equal(running.host.servers.get('one')?.status.starts, 1)
    assert.equal(running.host.inbox.open.length, 1)
    assert.equal(running.host.ledger.verify().broken, undefined)
  })

  it('a crash loop: others go on, the caller hears of the next try, and a mended server is back', async () => {
    using ann = person()
    const file = join(ann.project, 'loop.mjs')
    const { args: [program] = [''] } = programEntry() as { args?: string[] }
    const works = `await import(${JSON.stringify(pathToFileURL(program ?? ''))})`
    writeFileSync(file, works)
    ann.configure({
      mcpServers: { one: programEntry(), loop: { command: process.execPath, args: [file], mine: true } },
    })
    await using running = await ann.run()
    for (const name of ['one', 'loop']) await running.host.accept(name)
    await using mcp = await callerOf(running)
    const loop = running.host.servers.get('loop') ?? assert.fail()
    assert.equal(textOf(await mcp.tools.call('loop__echo', { text: 'works' })), 'works')
    writeFileSync(file, 'console.error("no room on the shelf"); process.exit(3)')
    killServer(loop)
    await until(() => !loop.isConnected)
    // its first failure is tried at once, the next ones after a while
    const said: string[] = []
    while (!/it is tried again in \d/.test(said.at(-1) ?? '')) {
      const result = await mcp.tools.call('loop__echo', { text: 'x' })
      assert.equal(result.isError, true)
      said.push(textOf(result))
    }
    for (const text of said) assert.match(text, /^Cannot use server "loop": .*code 3.*no room on the shelf/s)
    assert.ok(
      (await mcp.tools.list().all()).some(({ name }) => name === 'loop__echo'),
      'its tools are gone from the list',
    )
    assert.equal(textOf(await mcp.tools.call('one__echo', { text: 'fine' })), 'fine')
    writeFileSync(file, works)
    await loop.restart()
    assert.equal(textOf(await mcp.tools.call('loop__echo', { text: 'back' })), 'back')
  })

  it('two projects at once: calls of both at the same time stay apart, over a reboot and a change in one of them', async () => {
    using ann = person()
    const where = { mcpServers: { where: programEntry('where') } }
    const roots = [project(ann, 'shop', where), project(ann, 'blog', where)] as const
    const both = async (running: Awaited<ReturnType<typeof ann.run>>) => {
      await using inShop = await callerIn(running, roots[0])
      await using inBlog = await callerIn(running, roots[1])
      const callers = [inShop, inBlog].flatMap((mcp) => Array.from({ length: 10 }, () => mcp))
      return await Promise.all(callers.map(async (mcp) => textOf(await mcp.tools.call('where__read_where', {}))))
    }
    const expected = roots.flatMap((root) => Array.from({ length: 10 }, () => root))
    {
      await using running = await ann.run({ endsWhenIdle: true })
      for (const root of roots) {
        await using mcp = await callerIn(running, root)
        await namesOf(mcp)
        await acceptProject(running, root)
      }
      assert.deepEqual(await both(running), expected)
    }
    await using running = await ann.run({ endsWhenIdle: true })
    assert.deepEqual(await both(running), expected)
    assert.equal(running.host.inbox.open.length, 0, 'what was accepted in both is asked about again')
    project(ann, 'blog', { mcpServers: { where: programEntry('where', { cwd: '/' }) } })
    await until(() => running.host.inbox.open.some(({ kind }) => kind === 'file'))
    assert.deepEqual(new Set(running.host.inbox.open.map((question) => question.project)), new Set([roots[1]]))
    await using inShop = await callerIn(running, roots[0])
    assert.equal(textOf(await inShop.tools.call('where__read_where', {})), roots[0])
    await using inBlog = await callerIn(running, roots[1])
    assert.deepEqual(await namesOf(inBlog), [], 'what nobody accepted of the changed file counts')
  })
})
