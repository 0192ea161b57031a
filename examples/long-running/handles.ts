/** Handles of long-running work, as a client uses them. */
import assert from 'node:assert/strict'
import { connect, McpError } from '@trunkline/mcp'
import { tasks } from '@trunkline/mcp/tasks'

/** Shows each way, on a server that runs. */
export async function tour(url: URL): Promise<void> {
  // region handles
  await using mcp = await connect(url, { extensions: [tasks()] })

  // waits like any call, and reports each status
  const film = { title: 'Metropolis', frames: 2 }
  const { content } = await mcp.tools.call('render', film, { onTask: ({ status }) => console.log(`  ${status}`) })

  // a handle, as soon as the server has one
  const task = await mcp.tools.start('render', film)
  for await (const { status, statusMessage } of task) console.log(`  ${status}: ${statusMessage ?? ''}`)
  assert.deepEqual((await task.result()).content, content)

  // cancelling rejects the pending result
  const unwanted = await mcp.tools.start('render', { title: 'Metropolis', frames: 1_000 })
  await unwanted.cancel()
  await assert.rejects(unwanted.result(), (error) => error instanceof McpError && error.code === 'Cancelled')
  // endregion

  // region disposing
  let id: string | undefined
  {
    // at the end of the block a task that has not ended is cancelled, unless its handle only detaches
    await using _cancelled = await mcp.tools.start('render', { title: 'Metropolis', frames: 1_000 })
    await using left = await mcp.tools.start('render', film, { onDispose: 'detach' })
    id = left.id
  }
  await using again = await mcp.tasks.attach(id ?? '')
  assert.deepEqual((await again.result()).content, content)
  // endregion
}
