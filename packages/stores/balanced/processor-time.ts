/** Measures the processor time that a call takes in one process, and with the stores of each engine. */
import { server } from '@trunkline/mcp'
import { type ClusterStores, type FetchHandler, toFetch } from '@trunkline/mcp/http'
import { openSession, post } from '../../mcp/test/http/raw.ts'
import { postgresStores } from '../postgres/src/index.ts'
import { redisStores } from '../redis/src/index.ts'
import { startEngine } from './engine.ts'

const rounds = 11
const callsOfARound = 1_024
const callsAtOnce = 32
const call = { jsonrpc: '2.0', method: 'tools/call', params: { name: 'echo', arguments: {} } }

await using redis = await startEngine('redis')
await using postgres = await startEngine('postgres')
const entrants = [
  await entrantOf('one process', undefined),
  await entrantOf('Redis', await redisStores(redis.address)),
  await entrantOf('PostgreSQL', await postgresStores(postgres.address)),
]
// what is compiled meanwhile is not counted
for (const { sample } of entrants) for (let round = 0; round < 3; round++) await sample()
for (let round = 0; round < rounds; round++) for (const { sample, micros } of entrants) micros.push(await sample())
const [alone = 0] = entrants.map(({ micros }) => median(micros))
for (const { name, micros } of entrants) {
  const figure = median(micros)
  process.stdout.write(`${name}: ${Math.round(figure)} µs a call, ${(figure / alone).toFixed(1)} times one process\n`)
}
for (const { close } of entrants) await close()

async function entrantOf(name: string, stores: ClusterStores | undefined) {
  const echo = server({ name: 'echo', version: '1.0.0', keys: ['a key of thirty-two characters or more'] })
  const handler = toFetch(
    echo.tool('echo', {}, () => 'here'),
    stores ? { cluster: stores } : {},
  )
  const session = await openSession(handler, '2025-11-25')
  return {
    name,
    micros: [] as number[],
    sample: () => microsOfACall(handler, session),
    async close() {
      await handler.close()
      await echo.close()
      await stores?.close()
    },
  }
}

/** Processor time of this process for one call in a session, the driver of the engine included. */
async function microsOfACall(handler: FetchHandler, session: Record<string, string>): Promise<number> {
  const before = process.cpuUsage()
  for (let id = 0; id < callsOfARound; id += callsAtOnce)
    await Promise.all(
      Array.from({ length: callsAtOnce }, async (_, at) => {
        const { status, text } = await post(handler, { ...call, id: id + at }, session)
        if (!text.includes('here')) throw new Error(`Cannot measure: a call was answered with ${status} ${text}`)
      }),
    )
  const { user, system } = process.cpuUsage(before)
  return (user + system) / callsOfARound
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0
}
