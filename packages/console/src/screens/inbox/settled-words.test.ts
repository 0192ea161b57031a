import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChainedLine, Question } from '../../host/queries.ts'
import { pastWords, type RememberedQuestion, settledWords } from './settled-words.ts'

test('settledWords: an approval that no caller waited for is one of the next such call', () => {
  const question = { id: 'q', kind: 'call' } as Question
  const line = { kind: 'decided' as const, question: 'q', outcome: 'once', by: 'console' }
  const lines: readonly ChainedLine[] = [{ number: 1, at: 1, hash: '', previous: '', line }]
  const settled = { question, by: 'console', at: 1 }
  assert.equal(settledWords(settled, lines), 'allowed once by console')
  const gone = { ...settled, question: { ...question, abandoned: { approvalMs: 1 } } }
  assert.equal(settledWords(gone, lines), 'the next such call allowed by console')
})

test('pastWords: the decision and who made it, also for questions from before the page was opened', () => {
  const past = (kind: Question['kind'], outcome: string, by?: string) =>
    pastWords({ question: { id: 'q', kind } as Question, outcome, ...(by && { by }) } as RememberedQuestion)
  assert.equal(past('call', 'session', 'console'), 'allowed for the session by console')
  assert.equal(past('form', 'once', 'terminal'), 'answered by terminal')
  assert.equal(past('call', 'refuse', 'terminal'), 'refused by terminal')
  assert.equal(past('call', 'expired'), 'not answered in time')
})
