import assert from 'node:assert/strict'
import { test } from 'node:test'
import { array, extend, object, optional, string } from '../shape.ts'
import { define, feature, vocabularyOf, withFeature } from './definition.ts'

const revision = define({
  revision: 'the-first',
  types: {
    Result: () => object({}),
    Capabilities: () => object({ tools: optional(object({})) }),
    Greeting: (t) => object({ capabilities: t.Capabilities }),
  },
  client: (t) => ({ requests: { greet: { params: object({}), result: t.Greeting } }, notifications: {} }),
  server: (_, inputs) => ({ requests: inputs, notifications: { told: object({}) } }),
  inputs: (t) => ({ ask: { params: object({}), result: t.Result } }),
})

const marks = feature({
  uses: ['Result', 'Capabilities'],
  added: {
    Mark: () => object({ uri: string }),
    ListMarksResult: (t) => extend(t.Result, { marks: array(t.Mark) }),
  },
  changed: { Capabilities: (was) => extend(was, { marks: object({}) }) },
  client: (t) => ({ requests: { 'marks/list': { params: object({}), result: t.ListMarksResult } } }),
  server: () => ({ notifications: { marked: object({}) } }),
  inputs: (t) => ({ mark: { params: t.Mark, result: t.Result } }),
})

test('withFeature: a revision has the messages and types of the feature beside its own', () => {
  const { client, server, inputs, types } = vocabularyOf(withFeature(revision, marks))
  assert.deepEqual([...client.requests.keys()], ['greet', 'marks/list'])
  assert.deepEqual([...server.notifications.keys()], ['told', 'marked'])
  assert.deepEqual([...inputs.keys()], ['ask', 'mark'])
  assert.deepEqual([...server.requests.keys()], ['ask', 'mark'])
  assert.deepEqual([...(types.Capabilities?.fields ?? [])], ['tools', 'marks'])
  const list = client.requests.get('marks/list')?.result
  assert.deepEqual(list?.check({ marks: [{}] }), { path: 'marks[0].uri', message: 'is required' })
})

test('withFeature: messages of the revision follow what the feature changes', () => {
  const greet = vocabularyOf(withFeature(revision, marks)).client.requests.get('greet')?.result
  assert.deepEqual(greet?.check({ capabilities: {} }), { path: 'capabilities.marks', message: 'is required' })
})

test('withFeature: a revision without the feature stays as it is', () => {
  withFeature(revision, marks)
  const { client, types } = vocabularyOf(revision)
  assert.equal(client.requests.has('marks/list'), false)
  assert.equal(types.Capabilities?.fields?.has('marks'), false)
})

test('withFeature: a revision that lacks a type which the feature uses is a mistake of types', () => {
  const stranger = feature({ uses: ['Unheard'], added: {} })
  // @ts-expect-error the revision has no such type
  withFeature(revision, stranger)
})
