/** Engines by name, for programs that need no more than an address. */
import { engineNames } from '../chaos/engines.ts'
import { startEngine as startPostgres } from '../postgres/test/engine.ts'
import { startEngine as startRedis } from '../redis/test/engine.ts'

/** An engine that runs until it is disposed of. */
export interface AddressedEngine extends AsyncDisposable {
  readonly address: string
}

/** Starts the engine of a name. */
export async function startEngine(name: string): Promise<AddressedEngine> {
  if (name === 'redis') {
    const redis = await startRedis()
    return { address: `redis://${redis.address}`, [Symbol.asyncDispose]: () => redis[Symbol.asyncDispose]() }
  }
  if (name !== 'postgres') throw new Error(`Cannot start "${name}": the engines are ${engineNames.join(' and ')}`)
  // fixtures of all requirements are open at once, each in three processes
  const postgres = await startPostgres({ connections: 600 })
  return { address: postgres.url, [Symbol.asyncDispose]: () => postgres[Symbol.asyncDispose]() }
}
