import assert from 'node:assert/strict'
import { test } from 'node:test'
import { everyRevision } from '@trunkline/mcp/testing'
import { z } from 'zod'
import { fresh } from './fresh.ts'

const move = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('step'), meters: z.number() }),
  z.object({ kind: z.literal('turn'), degrees: z.number() }),
])

test('a tool takes one of several shapes, and its listed schema is still one of an object', async () => {
  const robot = fresh().tool('move', { input: move }, (input) => {
    return input.kind === 'step' ? `${input.meters} m` : `${input.degrees}°`
  })
  await everyRevision(robot, async ({ client }) => {
    const [listed] = await client.tools.list().all()
    assert.equal(listed?.inputSchema.type, 'object')
    assert.match(JSON.stringify(listed?.inputSchema), /meters.*degrees/)
    assert.deepEqual((await client.tools.call('move', { kind: 'step', meters: 2 })).content, [
      { type: 'text', text: '2 m' },
    ])
    assert.deepEqual((await client.tools.call('move', { kind: 'turn', degrees: 90 })).content, [
      { type: 'text', text: '90°' },
    ])
    const mixed = { kind: 'step', degrees: 90 } as never
    const outcome = await client.tools.call('move', mixed).catch(({ code }) => ({ isError: code === -32602 }))
    assert.equal(outcome.isError, true)
  })
})
