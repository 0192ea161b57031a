import assert from 'node:assert/strict'
import { test } from 'node:test'
import { join, revisions } from '@trunkline/mcp/testing'
import { z } from 'zod'
import { fresh } from './fresh.ts'

test('one definition serves a hundred clients of all revisions at the same time, and reads its schemas once', async () => {
  let conversions = 0
  const counted = z.object({ n: z.number() })
  const standard = counted['~standard']
  const schema = {
    '~standard': {
      ...standard,
      jsonSchema: {
        input: (options: never) => {
          conversions += 1
          return standard.jsonSchema.input(options)
        },
        output: (options: never) => standard.jsonSchema.output(options),
      },
    },
  } as unknown as typeof counted
  const one = fresh().tool('double', { input: schema }, ({ n }) => String(n * 2))
  const pairs = await Promise.all(
    Array.from({ length: 100 }, (_, at) => join(one, { revisions: [revisions[at % revisions.length] as string] })),
  )
  assert.equal(one.live.connections, 100)
  const answers = await Promise.all(
    pairs.map(async ({ client }, n) => {
      await client.tools.list().all()
      return (await client.tools.call('double', { n })).content
    }),
  )
  assert.deepEqual(
    answers,
    pairs.map((_, n) => [{ type: 'text', text: String(n * 2) }]),
  )
  assert.equal(conversions, 1)
  await Promise.all(pairs.map(({ client }) => client.close()))
  await new Promise(setImmediate)
  assert.deepEqual(one.live, { connections: 0, watchers: 0 })
})
