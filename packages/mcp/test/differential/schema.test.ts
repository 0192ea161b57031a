import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { isLong } from '../../../../tools/lib/long-form.ts'
import { describeShapeProblem, type Shape } from '../../src/wire/shape.ts'
import type { MethodShape, Vocabulary } from '../../src/wire/vocabulary.ts'
import { vocabularies } from '../../src/wire/vocabulary-table.ts'
import { agree } from './agree.ts'
import { arbitrary, type JsonSchema, keywordsOf } from './arbitrary.ts'
import { type Referee, referee, skip } from './referee.ts'

const runs = isLong ? 25 : 5
const samplesPerType = 2

for (const vocabulary of vocabularies.values()) {
  describe(`the official schema of ${vocabulary.revision}`, { skip }, () => {
    if (!skip) compare(vocabulary, officialSchema(vocabulary.revision))
  })
}

function compare({ client, server, inputs, types }: Vocabulary, official: Official): void {
  compareRequests(client.requests, 'ClientRequest', official)
  compareNotifications(client.notifications, 'ClientNotification', official)
  compareRequests(server.requests, 'ServerRequest', official)
  compareNotifications(server.notifications, 'ServerNotification', official)
  if ('InputRequest' in official.definitions) compareRequests(inputs, 'InputRequest', official)
  for (const [name, shape] of Object.entries(types)) {
    const schema = official.definitions[name]
    if (schema !== undefined) compareShape(name, shape, { schema, official })
  }
}

function compareRequests(requests: ReadonlyMap<string, MethodShape>, union: string, official: Official): void {
  const expected = official.methodsIn(union)
  test(`${union} has the same methods`, () =>
    assert.deepEqual([...requests.keys()].sort(), [...expected.keys()].sort()))
  for (const [method, { params, needsParams, result }] of expected) {
    const exchange = requests.get(method)
    if (!exchange) continue
    test(`${method} has params or not`, () =>
      assert.equal(exchange.params.check(undefined) === undefined, !needsParams))
    compareShape(`${method} params`, exchange.params, { schema: params, official })
    compareShape(`${method} result`, exchange.result, { schema: result, official })
  }
}

function compareNotifications(notifications: ReadonlyMap<string, Shape>, union: string, official: Official): void {
  const expected = official.methodsIn(union)
  test(`${union} has the same methods`, () =>
    assert.deepEqual([...notifications.keys()].sort(), [...expected.keys()].sort()))
  for (const [method, { params, needsParams }] of expected) {
    const shape = notifications.get(method)
    if (!shape) continue
    test(`${method} has params or not`, () => assert.equal(shape.check(undefined) === undefined, !needsParams))
    compareShape(`${method} params`, shape, { schema: params, official })
  }
}

function compareShape(name: string, shape: Shape, { schema, official }: { schema: JsonSchema; official: Official }) {
  const { definitions, judge, others } = official
  test(`${name} has the same verdicts`, () => {
    const fits = judge(schema)
    agree({ shape, official: fits, values: arbitrary(schema, definitions), runs })
    for (const other of others) {
      const problem = shape.check(other)
      assert.equal(
        problem === undefined,
        fits(other),
        `${JSON.stringify(other)} ${problem ? describeShapeProblem(problem) : 'fits'}`,
      )
    }
  })
  const { properties } = keywordsOf(schema, definitions)
  if (shape.fields === undefined || !properties) return
  test(`${name} has the same fields`, () => {
    assert.deepEqual([...(shape.fields ?? [])].sort(), Object.keys(properties).sort())
  })
}

/** A referee with values of every type it defines, most of which are out of place wherever they turn up. */
interface Official extends Referee {
  readonly others: readonly unknown[]
}

function officialSchema(revision: string): Official {
  const found = referee(revision)
  const others = Object.values(found.definitions).flatMap((definition) => {
    return fc.sample(arbitrary(definition, found.definitions), { numRuns: samplesPerType, seed: 1 })
  })
  return { ...found, others }
}
