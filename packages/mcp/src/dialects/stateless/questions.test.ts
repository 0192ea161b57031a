import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Questions } from './questions.ts'

const nothing = { answers: {}, asked: [] }
const noAnswer = () => undefined
const sample = (text: string) => ({ method: 'sampling/createMessage', params: { text } })

test('Questions: a question is known by its name, whatever its words', () => {
  const questions = new Questions({ answers: { color: { text: 'blue' } }, asked: [] }, noAnswer)
  assert.deepEqual(questions.ask(sample('Your colour, please?'), 'color'), { text: 'blue' })
})

test('Questions: a question without a name is known by its words', () => {
  const first = new Questions(nothing, noAnswer)
  first.ask(sample('One'))
  first.ask(sample('Two'))
  const [one = '', two = ''] = first.open.keys()
  assert.notEqual(one, two)
  const second = new Questions({ answers: { [one]: { text: '1' } }, asked: [two] }, noAnswer)
  assert.deepEqual(second.ask(sample('One')), { text: '1' })
  assert.equal(second.ask(sample('Two')), undefined)
  assert.deepEqual([...second.open.keys()], [two])
})

test('Questions: the same question asked again is another one, with and without a name', () => {
  const questions = new Questions(nothing, noAnswer)
  for (const name of ['color', 'color', undefined, undefined]) questions.ask(sample('Again'), name)
  const [first, second, ...unnamed] = questions.open.keys()
  assert.deepEqual([first, second], ['color', 'color-1'])
  assert.equal(new Set(unnamed).size, 2)
})

test('Questions: an answer that came with the request is taken and kept', () => {
  const given = (key: string, method: string) => (key === 'color' ? { text: method } : undefined)
  const questions = new Questions(nothing, given)
  assert.deepEqual(questions.ask(sample('Which?'), 'color'), { text: 'sampling/createMessage' })
  assert.equal(questions.open.size, 0)
  assert.deepEqual(questions.answers, { color: { text: 'sampling/createMessage' } })
})

test('Questions: a name that every object has is a name like others', () => {
  assert.equal(new Questions(nothing, noAnswer).ask(sample('Which?'), 'constructor'), undefined)
})

test('Questions: a question of an earlier run that this one does not ask counts as forgotten, answered or not', () => {
  const questions = new Questions({ answers: { first: {} }, asked: ['second'] }, noAnswer)
  questions.ask(sample('One'), 'first')
  assert.equal(questions.forgotten, true)
  questions.ask(sample('Two'), 'second')
  assert.equal(questions.forgotten, false)
})
