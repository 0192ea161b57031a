/** Many clients with the same ids at one server: each hears what is its own, over every shape of conversation. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Client, connect, server } from '@trunkline/mcp'
import { serveHttp } from '@trunkline/mcp/node'
import { revisions } from '@trunkline/mcp/testing'
import { isLong } from '../../../../tools/lib/long-form.ts'
import { quiet } from '../fixtures/quiet.ts'
import { numbers, turns } from '../properties/turns.ts'
import { faceAt, messageOf, saidIn } from './faces.ts'
import { toolCall } from './messages.ts'

const clients = isLong ? 200 : 60
const rounds = isLong ? 10 : 4
const callsAtOnce = 5

const input = {
  type: 'object',
  properties: { nonce: { type: 'string' }, turns: { type: 'integer' }, steps: { type: 'integer' } },
  required: ['nonce', 'turns', 'steps'],
} as const

/** Takes as long as it is told, and mentions its nonce in all that it says. */
const dawdler = () =>
  server({ name: 'dawdler', ...quiet }).tool('dawdle', { input }, async (plan, ctx) => {
    for (let step = 1; step <= plan.steps; step++) await ctx.progress(step, undefined, plan.nonce)
    await turns(plan.turns)
    await ctx.log('error', plan.nonce)
    return plan.nonce
  })

/** Messages that one client heard and that are not its own. */
async function useAll(client: Client, who: number, logged: readonly unknown[]): Promise<string[]> {
  const below = numbers(who)
  const wrong: string[] = []
  const use = async (at: string): Promise<void> => {
    const plan = { nonce: `${who}-${at}`, turns: below(20), steps: below(4) }
    let steps = 0
    const { content } = await client.tools.call('dawdle', plan, {
      onProgress: ({ message }) => {
        steps += 1
        // the oldest revisions report without words
        if (message !== undefined && message !== plan.nonce) wrong.push(`${plan.nonce} heard of ${message}`)
      },
    })
    const [said] = content
    if (said?.type !== 'text' || said.text !== plan.nonce) wrong.push(`${plan.nonce} got ${JSON.stringify(content)}`)
    if (steps !== plan.steps) wrong.push(`${plan.nonce} heard ${steps} of ${plan.steps} steps`)
  }
  for (let round = 0; round < rounds; round++) {
    await Promise.all(Array.from({ length: callsAtOnce }, (_, at) => use(`${round}-${at}`)))
  }
  const foreign = logged.filter((nonce) => !`${nonce}`.startsWith(`${who}-`))
  return [...wrong, ...foreign.map((nonce) => `${who} was told the log of ${nonce}`)]
}

for (const scheme of ['http', 'ws']) {
  test(`serveHttp: ${clients} clients of all revisions with the same ids each get their own answers, by ${scheme}`, async () => {
    await using listening = await serveHttp(dawdler(), { sse: true, websocket: true })
    const using = Array.from({ length: clients }, async (_, who) => {
      const revision = revisions[who % revisions.length] as string
      const logged: unknown[] = []
      await using client = await connect(new URL(listening.url.replace('http', scheme)), {
        revisions: [revision],
        // who shares a busy machine with so many others may wait long
        timeoutMs: 600_000,
        onLog: ({ data }) => logged.push(data),
      })
      assert.equal(client.revision, revision)
      return await useAll(client as Client, who, logged)
    })
    assert.deepEqual((await Promise.all(using)).flat(), [])
  })
}

test('serveHttp: ids of every kind, used by many clients at once, come back as they were', async () => {
  await using listening = await serveHttp(dawdler())
  const face = faceAt(listening.url)
  const ids = [0, 1, -1, '0', '1', '', 'id', 2 ** 53 - 1, '__proto__', 'constructor', 'ü', '\u0000', '"'.repeat(50)]
  const ask = async (id: unknown, at: number): Promise<void> => {
    const plan = { nonce: `${at}`, turns: at % 7, steps: 0 }
    const answer = await face.send(toolCall('dawdle', plan, id))
    assert.deepEqual([messageOf(answer).id, saidIn(answer)], [id, plan.nonce])
  }
  await Promise.all(
    Array.from({ length: 20 }, () => ids)
      .flat()
      .map(ask),
  )
})
