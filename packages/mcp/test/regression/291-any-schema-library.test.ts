import assert from 'node:assert/strict'
import { test } from 'node:test'
import { join } from '@trunkline/mcp/testing'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { z } from 'zod'
import { fresh } from './fresh.ts'

const libraries = {
  zod: z.object({ name: z.string(), age: z.number().optional() }),
  valibot: toStandardJsonSchema(v.object({ name: v.string(), age: v.optional(v.number()) })),
  arktype: type({ name: 'string', 'age?': 'number' }),
}

for (const [library, input] of Object.entries(libraries)) {
  test(`schemas of ${library} are listed, enforced and next to those of the others`, async () => {
    const greeter = fresh().tool('other', { input: libraries.zod }, () => 'other')
    greeter.tool('greet', { input }, ({ name }) => `Hello ${name}`)
    await using both = await join(greeter)
    const listed = (await both.client.tools.list().all()).find(({ name }) => name === 'greet')
    assert.deepEqual(listed?.inputSchema.required, ['name'])
    const greeted = await both.client.request('tools/call', { name: 'greet', arguments: { name: 'Ada' } })
    assert.deepEqual(greeted.content, [{ type: 'text', text: 'Hello Ada' }])
    const refused = await both.client.request('tools/call', { name: 'greet', arguments: { name: 5 } })
    assert.equal(refused.isError, true)
    assert.match(JSON.stringify(refused.content), /name/)
  })
}
