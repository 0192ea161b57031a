/** Engines under faults, each behind proxies of our own. */
import type { NetConnectOpts } from 'node:net'
import type { Filter } from '../../../tools/lib/tcp-proxy.ts'
import { dropNotifications } from '../postgres/test/drop-notifications.ts'
import { startEngine as startPostgres } from '../postgres/test/engine.ts'
import { clientFor } from '../redis/src/driver.ts'
import { dropMessages } from '../redis/test/drop-messages.ts'
import { startEngine as startRedis } from '../redis/test/engine.ts'

/** Names of the engines. */
export const engineNames = ['postgres', 'redis'] as const
export type EngineName = (typeof engineNames)[number]

/** An engine that runs. */
export interface ChaosEngine extends AsyncDisposable {
  readonly name: EngineName
  readonly target: NetConnectOpts
  /** True if a restart may lose what was confirmed. */
  readonly losesByRestart: boolean
  /** Address of the engine through a port of this machine. */
  addressAt(port: number): string
  /** Makes a filter that drops what tells processes of news. */
  silence(): Filter
  restart(): Promise<void>
  /** Deletes all, where the engine can be asked to. */
  flush?(): Promise<void>
}

/** Starts an engine. */
export function startChaosEngine(name: EngineName): Promise<ChaosEngine> {
  return name === 'postgres' ? postgres() : redis()
}

async function postgres(): Promise<ChaosEngine> {
  const engine = await startPostgres()
  return {
    name: 'postgres',
    target: { path: engine.socket },
    losesByRestart: false,
    addressAt: (port) => `postgresql://test@127.0.0.1:${port}/postgres`,
    silence: dropNotifications,
    async restart() {
      await engine.stop()
      await engine.start()
    },
    [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
  }
}

async function redis(): Promise<ChaosEngine> {
  const engine = await startRedis()
  return {
    name: 'redis',
    target: { port: engine.port, host: '127.0.0.1' },
    losesByRestart: true,
    addressAt: (port) => `redis://127.0.0.1:${port}`,
    silence: dropMessages,
    async restart() {
      await engine.stop()
      await engine.start()
    },
    async flush() {
      const admin = await clientFor(`redis://${engine.address}`)
      await admin.connect()
      await admin.sendCommand(['FLUSHALL'])
      admin.destroy()
    },
    [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
  }
}
