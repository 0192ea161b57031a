import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type InboxNews, noteInboxNews, withInboxNews } from './inbox-news.ts'

type Question = Extract<InboxNews, { event: 'question' }>['question']

const question = (id: string, askedAt: number) => ({ id, askedAt }) as Question

test('withInboxNews: an answer from before a question came, and before another was settled, knows of both', async () => {
  let settle = (_items: Question[]): void => {}
  const answer = new Promise<Question[]>((resolve) => {
    settle = resolve
  })
  const inbox = withInboxNews(async () => ({ items: await answer }))
  noteInboxNews({ event: 'question', question: question('second', 2) })
  noteInboxNews({ event: 'withdrawn', id: 'third', by: 'terminal' })
  settle([question('first', 1), question('third', 3)])
  assert.deepEqual(
    (await inbox).items.map(({ id }) => id),
    ['first', 'second'],
  )
})

test('withInboxNews: an answer that knows of a question already has it once; what came before is not kept', async () => {
  noteInboxNews({ event: 'question', question: question('long ago', 0) })
  const inbox = withInboxNews(async () => ({ items: [question('one', 1)] }))
  noteInboxNews({ event: 'question', question: question('one', 1) })
  assert.deepEqual((await inbox).items, [question('one', 1)])
})
