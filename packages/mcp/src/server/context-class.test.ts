import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ServerRequest } from '../dialects/dialect.ts'
import { Context } from './context.ts'
import { contextClass } from './context-class.ts'

const request = { params: { name: 'tool' } } as unknown as ServerRequest

test('contextClass: a member is made for its request when a handler uses it, and not before', () => {
  let made = 0
  const Extended = contextClass([{ tool: ({ params }) => `${params.name} ${++made}` }])
  const ctx = new Extended(request) as Context & { tool: string }
  assert.equal(made, 0)
  const { tool } = ctx
  assert.equal(tool, 'tool 1')
  assert.ok(ctx instanceof Context)
})

test('contextClass: without extensions it is the class of all contexts', () => {
  assert.equal(contextClass([]), Context)
})

for (const added of [[{ signal: () => 1 }], [{ mine: () => 1 }, { mine: () => 2 }]]) {
  test(`contextClass: a member that is there already is refused by name: ${JSON.stringify(added.map(Object.keys))}`, () => {
    assert.throws(() => contextClass(added), /the context has a member "(signal|mine)" already/)
  })
}
