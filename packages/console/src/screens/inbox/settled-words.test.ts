import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChainedLine, Question } from '../../host/queries.ts'
import { settledWords } from './settled-words.ts'

test('settledWords: an approval that no caller waited for is one of the next such call', () => {
  const question = { id: 'q', kind: 'call' } as Question
  const line = { kind: 'decided' as const, question: 'q', outcome: 'once', by: 'console' }
  const lines: readonly ChainedLine[] = [{ number: 1, at: 1, hash: '', previous: '', line }]
  const settled = { question, by: 'console', at: 1 }
  assert.equal(settledWords(settled, lines), 'allowed once by console')
  const gone = { ...settled, question: { ...question, abandoned: { approvalMs: 1 } } }
  assert.equal(settledWords(gone, lines), 'the next such call allowed by console')
})
