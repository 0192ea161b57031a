import assert from 'node:assert/strict'
import { mkdirSync, realpathSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { RunningHost } from '../../src/running/run-host-types.ts'
import { textOf } from '../gateway/running-host.ts'
import { person, programEntry } from '../run/person.ts'
import { keeping } from './terms-world.ts'

describe('the folder that a call works in', () => {
  const ann = person()
  const project = realpathSync(ann.project)
  for (const name of ['a', 'b', 'c']) mkdirSync(join(project, name))
  const elsewhere = join(realpathSync(ann.home), 'elsewhere')
  mkdirSync(elsewhere)
  symlinkSync(elsewhere, join(project, 'a', 'link'))
  let running: RunningHost
  let mcp: Awaited<ReturnType<typeof keeping>>

  before(async () => {
    const env = { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '', FOLDER: project }
    ann.configure({
      mcpServers: {
        kept: programEntry('with-contract', { env }),
        plain: programEntry('without-contract'),
        here: programEntry('where', { cwd: join(project, 'b') }),
      },
    })
    running = await ann.run()
    for (const name of ['kept', 'plain', 'here']) await running.host.accept(name)
    mcp = await keeping(running.host, { headers: { 'trunkline-project': encodeURIComponent(project) } })
  })
  after(async () => {
    await mcp?.close()
    await running?.close()
    ann[Symbol.dispose]()
  })

  it('calls with three folders at once each work in their own', async () => {
    const where = (name: string) =>
      mcp.tools.call('kept__get_folder', { path: 'file' }, { cwd: join(project, name) }).then(textOf)
    const found = await Promise.all(['a', 'b', 'c', 'a'].map(where))
    assert.deepEqual(
      found,
      ['a', 'b', 'c', 'a'].map((name) => join(project, name, 'file')),
    )
  })

  it('a server works in the folder of its entry, where a call names none', async () => {
    assert.equal(textOf(await mcp.tools.call('here__read_where', {})), join(project, 'b'))
  })

  it('a path that leads out of the project is refused, by dots and by links', async () => {
    for (const cwd of [join(project, '..'), elsewhere, join(project, 'a', 'link')]) {
      const failed = await mcp.tools
        .call('kept__get_folder', { path: 'file' }, { cwd })
        .then(textOf, (error: Error) => error.message)
      assert.match(failed, /cwd leads out of ".*", where the caller works/)
    }
    const climbs = await mcp.tools
      .call('kept__get_folder', { path: '../../x' }, { cwd: join(project, 'a') })
      .then(textOf, (error: Error) => error.message)
    assert.match(climbs, /Cannot use path "..\/..\/x"/)
  })

  it('a folder that a server cannot honour is refused instead of forgotten, and so is one of a caller without a project', async () => {
    const plain = mcp.tools.call('plain__get_pid', {}, { cwd: join(project, 'a') })
    await assert.rejects(plain, /cwd cannot be honoured: server "plain" does not keep the contract/)
    await using nowhere = await keeping(running.host, { name: 'nowhere' })
    const asked = nowhere.tools.call('kept__get_folder', { path: 'file' }, { cwd: join(project, 'a') })
    await assert.rejects(asked, /cwd cannot be honoured: the caller has no project/)
  })
})
