import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Question } from '../host/queries.ts'
import { ownQuestion } from './own-question.ts'

const call = { server: 'shop', name: 'order', startedAt: 1_000 }
const question = (more: Partial<Question>) =>
  ({ server: 'shop', target: 'order', principal: 'console', askedAt: 2_000, detail: {}, ...more }) as Question
const isOwn = (more: Partial<Question>) => ownQuestion([question(more)], call) !== undefined

test('ownQuestion: the approval of the call, also one that an equal call raised before', () => {
  assert.ok(isOwn({}))
  assert.ok(isOwn({ askedAt: 1 }))
  assert.ok(!isOwn({ principal: 'editor' }))
  assert.ok(!isOwn({ target: 'other' }))
})

test('ownQuestion: forms, pages and prompts that the server asks during the call', () => {
  const form = { principal: 'server shop', target: 'form', kind: 'form' } as const
  assert.ok(isOwn({ ...form, detail: { during: { target: 'order', client: 'console' } } }))
  assert.ok(isOwn({ kind: 'prompt', target: '@sample' }))
  assert.ok(!isOwn({ ...form, detail: { during: { target: 'order', client: 'editor' } } }))
  assert.ok(!isOwn({ ...form, detail: { during: { target: 'other', client: 'console' } } }))
  assert.ok(!isOwn({ ...form, server: 'else', detail: { during: { target: 'order', client: 'console' } } }))
  assert.ok(!isOwn({ kind: 'prompt', target: '@sample', askedAt: 1 }))
})
