import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ServerRequest } from '../dialects/dialect.ts'
import { Context } from './context.ts'
import { extendedContext } from './extended-context.ts'

const request = { params: { name: 'tool' } } as unknown as ServerRequest

test('extendedContext: a member is made for its request when a handler uses it, and not before', () => {
  let made = 0
  const Extended = extendedContext([{ tool: ({ params }) => `${params.name} ${++made}` }])
  const ctx = new Extended(request) as Context & { tool: string }
  assert.equal(made, 0)
  const { tool } = ctx
  assert.equal(tool, 'tool 1')
  assert.ok(ctx instanceof Context)
})

test('extendedContext: without extensions it is the class of all contexts', () => {
  assert.equal(extendedContext([]), Context)
})

for (const added of [[{ signal: () => 1 }], [{ mine: () => 1 }, { mine: () => 2 }]]) {
  test(`extendedContext: a member that is there already is refused by name: ${JSON.stringify(added.map(Object.keys))}`, () => {
    assert.throws(() => extendedContext(added), /the context has a member "(signal|mine)" already/)
  })
}
