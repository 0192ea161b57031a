import assert from 'node:assert/strict'
import { test } from 'node:test'
import { open } from '../../src/client/open.ts'
import { tasks } from '../../src/extensions/tasks/tasks.ts'
import type { Channel } from '../../src/rpc/channel.ts'
import { server } from '../../src/server/server.ts'
import { memoryPair } from '../../src/transports/memory.ts'
import type { Message } from '../../src/wire/messages.ts'

const timeout = 30_000

/** A server with one tool that runs until its task is cancelled. */
function hanging() {
  let end = (): void => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  const definition = server({ name: 'hanging', version: '1', extensions: [tasks()] }).tool(
    'hang',
    { task: 'required' },
    (_, ctx) =>
      new Promise<string>((_resolve, reject) => {
        ctx.signal.addEventListener('abort', () => {
          end()
          reject(ctx.signal.reason)
        })
      }),
  )
  return { definition, ended }
}

/** Calls back before a message with a task arrives. */
function before(channel: Channel, arrives: () => void): Channel {
  const isTask = (message: Message | readonly Message[]) => JSON.stringify(message).includes('"taskId"')
  return {
    open: (receiver) =>
      channel.open({
        message(message, sender) {
          if (isTask(message)) arrives()
          receiver.message(message, sender)
        },
        malformed: (error, id) => receiver.malformed(error, id),
        failed: (id, reason) => receiver.failed(id, reason),
        ended: () => receiver.ended(),
        closed: (reason) => receiver.closed(reason),
      }),
    send: (message, options) => channel.send(message, options),
    close: () => channel.close(),
  }
}

for (const revision of ['2025-11-25', '2026-07-28']) {
  test(`tasks: a cancellation that crosses the answer cancels the task (${revision})`, { timeout }, async () => {
    const { definition, ended } = hanging()
    const stop = new AbortController()
    const dial = () => {
      const [near, far] = memoryPair()
      definition.serve(far)
      return before(near, () => stop.abort(new Error('enough')))
    }
    await using client = await open(dial, { revisions: [revision], extensions: [tasks()] })
    await assert.rejects(client.tools.call('hang', {}, { signal: stop.signal }), /enough/)
    await ended
  })

  test(`tasks: a call that is cancelled before its answer is sent cancels the task (${revision})`, {
    timeout,
  }, async () => {
    const { definition, ended } = hanging()
    const stop = new AbortController()
    definition.use((next) => async (request) => {
      const answer = await next(request)
      if (request.method !== 'tools/call') return answer
      stop.abort(new Error('enough'))
      await new Promise((resolve) => request.incoming.signal.addEventListener('abort', resolve))
      return answer
    })
    const dial = () => {
      const [near, far] = memoryPair()
      definition.serve(far)
      return near
    }
    await using client = await open(dial, { revisions: [revision], extensions: [tasks()] })
    await assert.rejects(client.tools.call('hang', {}, { signal: stop.signal }), /enough/)
    await ended
  })
}
