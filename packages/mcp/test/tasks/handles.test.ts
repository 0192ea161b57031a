/** The fate of a task when its handle goes, and when another client takes it up. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { connect } from '../../src/connect.ts'
import { tasks } from '../../src/extensions/tasks/tasks.ts'
import { serveHttp } from '../../src/node.ts'
import { caller } from './caller.ts'
import { studio } from './render.ts'

const run = promisify(execFile)

for (const revision of ['2026-07-28', '2025-11-25']) {
  test(`using (${revision}): a task that was started here is cancelled with its handle, unless it is let go`, async () => {
    const shop = studio()
    await using client = await caller(shop, revision)
    const ids: string[] = []
    {
      await using cancelled = await client.tools.start('hang', {})
      await using asked = await client.tools.start('hang', {}, { onDispose: 'detach' })
      await using told = await client.tools.start('hang', {})
      told.detach()
      for (const { id } of [cancelled, asked, told]) ids.push(id ?? '')
    }
    const states = await Promise.all(ids.map(async (id) => (await client.tasks.get(id)).status))
    assert.deepEqual(states, ['cancelled', 'working', 'working'])
    await shop.close()
  })

  test(`using (${revision}): a task that was attached to is left alone, unless it is to be cancelled`, async () => {
    const shop = studio()
    await using client = await caller(shop, revision)
    const { id = '' } = await client.tools.start('hang', {})
    {
      await using _seen = await client.tasks.attach(id)
    }
    assert.equal((await client.tasks.get(id)).status, 'working')
    {
      await using _ended = await client.tasks.attach(id, { onDispose: 'cancel' })
    }
    assert.equal((await client.tasks.get(id)).status, 'cancelled')
    await shop.close()
  })

  test(`call (${revision}): a caller that gives up waiting cancels the task`, async () => {
    const shop = studio()
    await using client = await caller(shop, revision)
    const enough = new AbortController()
    let id = ''
    const onTask = ({ id: known }: { readonly id: string }): void => {
      id = known
      enough.abort(new Error('enough'))
    }
    // where the caller decides, a tool that may be a task is one for those who start it
    const waiting =
      revision === '2026-07-28'
        ? client.tools.call('hang', {}, { signal: enough.signal, onTask })
        : client.tools.start('hang', {}).then(async (task) => {
            onTask({ id: task.id ?? '' })
            await using _handle = task
            return task.result({ signal: enough.signal })
          })
    await assert.rejects(waiting, /enough/)
    assert.equal((await client.tasks.get(id)).status, 'cancelled')
    await shop.close()
  })

  test(`attach (${revision}): another process gets the result of a task by its id`, async () => {
    await using http = await serveHttp(studio(), { port: 0 })
    await using client = await connect(new URL(http.url), { revisions: [revision], extensions: [tasks()] })
    const { id } = await client.tools.start('render', { frames: 3 })
    const program = `
      import { connect } from '@trunkline/mcp'
      import { tasks } from '@trunkline/mcp/tasks'
      const options = { revisions: [${JSON.stringify(revision)}], extensions: [tasks()] }
      await using client = await connect(${JSON.stringify(http.url)}, options)
      const task = await client.tasks.attach(${JSON.stringify(id)})
      console.log(JSON.stringify((await task.result()).structuredContent))`
    const args = ['--no-warnings', '--input-type=module', '-e', program]
    const { stdout } = await run(process.execPath, args, { cwd: import.meta.dirname })
    assert.deepEqual(JSON.parse(stdout), { frames: 3 })
  })
}
