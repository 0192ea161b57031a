import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InboxReader } from './inbox-reader.ts'

test('InboxReader: remembers as many handled entries as an inbox keeps, and forgets the oldest first', async () => {
  const filled = Array.from({ length: 10_000 }, (_, at) => `entry ${at}`)
  const takes = [filled, ['entry 0'], ['one more'], ['entry 1', 'entry 0']]
  const handled: string[] = []
  const reader = new InboxReader({
    epoch: 'this',
    inbox: {
      post: () => [],
      take: () =>
        takes.shift()?.map((entryId, number) => ({ number, data: JSON.stringify({ about: 'it', entryId }) })) ?? [],
    },
    isOpen: () => true,
    failed: (error) => assert.fail(String(error)),
    report: (error) => assert.fail(String(error)),
  })
  reader.on('it', ({ entryId }) => void handled.push(String(entryId)))
  await reader.wake()
  assert.deepEqual(handled, [...filled, 'one more', 'entry 0'])
})
