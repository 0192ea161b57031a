import assert from 'node:assert/strict'
import { test } from 'node:test'
import { everyRevision } from '@trunkline/mcp/testing'
import { Mailbox } from '../mailbox.ts'
import { fresh } from './fresh.ts'

const progressIn = (lines: readonly { message: unknown }[]): unknown[] =>
  lines
    .map(({ message }) => message as { method?: string; params?: { progress: number } })
    .filter(({ method }) => method === 'notifications/progress')
    .map(({ params }) => params?.progress)

test('a report that does not go forward is never sent', async () => {
  const dancer = fresh().tool('dance', {}, async (_input, ctx) => {
    for (const step of [1, 3, 2, 3, 4]) await ctx.progress(step)
    return 'danced'
  })
  await everyRevision(dancer, async ({ client, transcript }) => {
    const heard: number[] = []
    await client.tools.call('dance', {}, { onProgress: ({ progress }) => heard.push(progress) })
    assert.deepEqual(heard, [1, 3, 4])
    assert.deepEqual(progressIn(transcript.lines), [1, 3, 4])
  })
})

test('a report after the end is never sent', async () => {
  const ended = new Mailbox<Promise<void>>()
  const late = fresh().tool('late', {}, (_input, ctx) => {
    setImmediate(() => ended.put(ctx.progress(1)))
    return 'done'
  })
  await everyRevision(late, async ({ client, transcript }) => {
    await client.tools.call('late', {}, { onProgress: () => assert.fail('heard of progress after the end') })
    await ended.take()
    await client.ping()
    assert.deepEqual(progressIn(transcript.lines), [])
  })
})
