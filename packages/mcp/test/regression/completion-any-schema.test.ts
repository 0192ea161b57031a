import assert from 'node:assert/strict'
import { test } from 'node:test'
import { everyRevision } from '@trunkline/mcp/testing'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { z } from 'zod'
import { fresh } from './fresh.ts'

const libraries = {
  zod: z.object({ size: z.enum(['small', 'large']) }),
  valibot: toStandardJsonSchema(v.object({ size: v.picklist(['small', 'large']) })),
  arktype: type({ size: "'small' | 'large'" }),
  'plain JSON Schema': {
    type: 'object',
    properties: { size: { type: 'string', enum: ['small', 'large'] } },
    required: ['size'],
  },
}

for (const [library, schema] of Object.entries(libraries)) {
  test(`an argument of a prompt is completed from its schema in ${library}`, async () => {
    const cups = fresh().prompt('cup', { arguments: schema }, () => 'a cup')
    await everyRevision(cups, async ({ client }) => {
      const { values } = await client.complete({ prompt: 'cup', argument: 'size' }, 's')
      assert.deepEqual(values, ['small'])
    })
  })

  test(`an argument of a prompt is completed by a function next to its schema in ${library}`, async () => {
    const complete = { size: () => ['any'] }
    const cups = fresh().prompt('cup', { arguments: schema, complete }, () => 'a cup')
    await everyRevision(cups, async ({ client }) => {
      assert.deepEqual((await client.complete({ prompt: 'cup', argument: 'size' }, 's')).values, ['any'])
    })
  })
}
