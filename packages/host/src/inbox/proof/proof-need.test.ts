import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer, Question, QuestionKind } from '../question.ts'
import { needsProof, type PersonDecision } from './proof-need.ts'

function asked(kind: QuestionKind, toolClass?: string): Question {
  return {
    ...{ id: 'q', kind, key: 'k', server: 's', target: 't', principal: 'p', principalId: 'p', project: undefined },
    ...{ why: '', detail: { class: toolClass }, by: undefined, askedAt: 0, expiresAt: 0 },
  }
}

function answer(question: Question, choice: Answer['choice'] = 'once', isBroad = false): PersonDecision {
  return { kind: 'answer', question, choice, isBroad }
}

const rows: readonly (readonly [
  name: string,
  decision: PersonDecision,
  destroys: boolean,
  policy: boolean,
  all: boolean,
])[] = [
  ['a call that destroys', answer(asked('call', 'destroys')), true, false, true],
  ['a call that destroys, always', answer(asked('call', 'destroys'), 'always'), true, true, true],
  ['a call that destroys, refused', answer(asked('call', 'destroys'), 'refuse'), false, false, false],
  ['a call that writes', answer(asked('call', 'writes')), false, false, true],
  ['a call that writes, for the session', answer(asked('call', 'writes'), 'session'), false, false, true],
  ['a call that writes, in the project', answer(asked('call', 'writes'), 'project'), false, true, true],
  ['a call that writes, and other tools', answer(asked('call', 'writes'), 'session', true), false, true, true],
  ['a call that writes, always', answer(asked('call', 'writes'), 'always'), false, true, true],
  ['a changed definition', answer(asked('definition')), false, true, true],
  ['a server to start', answer(asked('start')), false, true, true],
  ["a project's file", answer(asked('file')), false, true, true],
  ["a project's file, refused", answer(asked('file'), 'refuse'), false, false, false],
  ['a program under the name of a client', answer(asked('client')), false, true, true],
  ['a form', answer(asked('form')), false, false, true],
  ['a change of policy', { kind: 'policy' }, false, true, true],
  ['anything else that only a person may do', { kind: 'other' }, false, false, true],
]

for (const [name, decision, destroys, policy, all] of rows) {
  test(`needsProof: ${name}`, () => {
    assert.equal(needsProof(decision, []), false)
    assert.equal(needsProof(decision, ['destroys']), destroys)
    assert.equal(needsProof(decision, ['policy']), policy)
    assert.equal(needsProof(decision, ['destroys', 'policy']), destroys || policy)
    assert.equal(needsProof(decision, ['everything']), all)
  })
}
