import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { type Client, connect, server } from '@trunkline/mcp'
import { serveHttp } from '@trunkline/mcp/node'
import { z } from 'zod'
import type { RunningHost } from '../../src/running-host.ts'
import { textOf } from '../gateway/running-host.ts'
import { answer, callerOf, person, programEntry, questionOf } from '../run/person.ts'
import { acceptProject, callerIn, namesOf, project, until } from '../run/working-in.ts'

/** A server of version 1 or 2: the second has a tool more and describes the other one anew. */
function notes(version: 1 | 2) {
  const description = version === 1 ? 'Reads a note' : 'Reads a note, and says when it was written'
  const own = server({ name: 'notes', version: `${version}.0.0` }).tool(
    'read_note',
    { description, input: z.object({ id: z.string() }) },
    ({ id }) => `note ${id} of version ${version}`,
  )
  return version === 1 ? own : own.tool('search_notes', {}, () => 'found')
}

describe('a month', () => {
  it('a server updates: calls go on, the model sees what was accepted, one question brings the rest', async () => {
    using ann = person()
    const first = await serveHttp(notes(1), { port: 0 })
    const { port } = new URL(first.url)
    ann.configure({ mcpServers: { notes: { type: 'http', url: first.url } } })
    await using running = await ann.run()
    await running.host.accept('notes')
    await using mcp = await callerOf(running)
    assert.equal(textOf(await mcp.tools.call('notes__read_note', { id: '1' })), 'note 1 of version 1')
    await first.close()
    await using _second = await serveHttp(notes(2), { port: Number(port) })
    const asked = questionOf(running, 'definition')
    await running.host.servers.get('notes')?.restart()
    await until(() => running.host.catalogue.find('notes', 'tool', 'read_note')?.standing === 'changed')
    assert.equal(textOf(await mcp.tools.call('notes__read_note', { id: '2' })), 'note 2 of version 2')
    const names = async () => (await mcp.tools.list().all()).map(({ name, description }) => `${name}: ${description}`)
    assert.deepEqual(await names(), ['notes__read_note: Reads a note'])
    await answer(running, await asked, 'always')
    await until(() => running.host.catalogue.find('notes', 'tool', 'search_notes')?.standing === 'usable')
    assert.equal((await names()).length, 2)
  })

  it('a reboot: what was accepted, allowed and asked is there, and the first call starts what it needs', async () => {
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

  it('a crash loop: others go on, the caller is told when it is tried again, and a mended server is back', async () => {
    using ann = person()
    const broken = join(ann.project, 'broken.mjs')
    writeFileSync(broken, 'process.exit(3)')
    ann.configure({ mcpServers: { one: programEntry(), loop: { command: process.execPath, args: [broken] } } })
    await using running = await ann.run()
    await running.host.accept('one')
    await running.host.accept('loop').catch(() => {})
    await using mcp = await callerOf(running)
    const why = await mcp.tools.call('loop__echo', { text: 'x' }).then(textOf, (error: Error) => error.message)
    assert.match(why, /exited with code 3|tried again|no such tool/)
    assert.equal(textOf(await mcp.tools.call('one__echo', { text: 'fine' })), 'fine')
    const { args: [program] = [''] } = programEntry() as { args?: string[] }
    writeFileSync(broken, `await import(${JSON.stringify(program)})`)
    await running.host.servers.get('loop')?.restart()
    await until(() => running.host.catalogue.entries('loop').some(({ original }) => original === 'echo'))
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
