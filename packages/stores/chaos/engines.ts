/** Engines under faults, each behind proxies of our own. */
import type { NetConnectOpts } from 'node:net'
import { type Filter, startProxy } from '../../../tools/lib/tcp-proxy.ts'
import { until } from '../../../tools/lib/until.ts'
import { dropNotifications } from '../postgres/test/drop-notifications.ts'
import { startEngine as startPostgres } from '../postgres/test/engine.ts'
import { clientFor } from '../redis/src/driver.ts'
import { dropMessages } from '../redis/test/drop-messages.ts'
import { startEngine as startRedis } from '../redis/test/engine.ts'
import { addTableStep, recordOwnerSteps } from './postgres-tables.ts'

/** Names of the engines. */
export const engineNames = ['postgres', 'redis'] as const
export type EngineName = (typeof engineNames)[number]

/** An engine that runs. */
export interface ChaosEngine extends AsyncDisposable {
  readonly name: EngineName
  readonly target: NetConnectOpts
  /** True if a restart may lose what was confirmed. */
  readonly losesByRestart: boolean
  /** Address of the engine through a port of this machine, for one process. */
  addressAt(port: number, process: string): string
  /** Makes a filter that drops what tells processes of news. */
  silence(): Filter
  restart(): Promise<void>
  /** Deletes all, where the engine can be asked to. */
  flush?(): Promise<void>
  /** Lets a replica fall behind for a time and take over then, where the engine can lose what it confirmed. */
  promote?(lagMs: number): Promise<void>
  /** Brings the tables to the step of a later version, where the engine has tables: processes of this version go on with them. */
  upgrade?(): Promise<void>
  /** Steps that only the owner of a task may make, in order, where the engine keeps tasks. */
  ownerSteps?(): Promise<readonly OwnerStep[]>
}

/** A step of the process that had a task. */
export interface OwnerStep {
  readonly task: string
  readonly fence: number
  /** Name of the process that made it. */
  readonly owner: string
}

/** Starts an engine. */
export function startChaosEngine(name: EngineName): Promise<ChaosEngine> {
  return name === 'postgres' ? postgres() : redis()
}

async function postgres(): Promise<ChaosEngine> {
  const engine = await startPostgres()
  const steps = await recordOwnerSteps(engine.url)
  return {
    name: 'postgres',
    target: { path: engine.socket },
    losesByRestart: false,
    addressAt: (port, process) => `postgresql://test@127.0.0.1:${port}/postgres?application_name=${process}`,
    silence: dropNotifications,
    async restart() {
      await engine.stop()
      await engine.start()
    },
    upgrade: () => addTableStep(engine.url),
    ownerSteps: steps,
    [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
  }
}

async function redis(): Promise<ChaosEngine> {
  let engine = await startRedis()
  const target = { port: engine.port, host: '127.0.0.1' }
  const command = async (port: number, ...args: readonly string[]): Promise<unknown> => {
    const admin = await clientFor(`redis://127.0.0.1:${port}`)
    await admin.connect()
    try {
      return await admin.sendCommand(args)
    } finally {
      admin.destroy()
    }
  }
  return {
    name: 'redis',
    target,
    losesByRestart: true,
    addressAt: (port) => `redis://127.0.0.1:${port}`,
    silence: dropMessages,
    async restart() {
      await engine.stop()
      await engine.start()
    },
    flush: async () => void (await command(engine.port, 'FLUSHALL')),
    async promote(lagMs) {
      await using line = await startProxy({ port: engine.port, host: '127.0.0.1' })
      await using unused = new AsyncDisposableStack()
      const replica = unused.use(await startRedis())
      // by a command: once it is the primary, a restart may not make it a replica again
      await command(replica.port, 'REPLICAOF', '127.0.0.1', `${line.port}`)
      const isInSync = async () => /master_link_status:up/.test(`${await command(replica.port, 'INFO', 'replication')}`)
      await until(isInSync, 'the replica to follow')
      line.hold('toClient')
      await new Promise((resolve) => setTimeout(resolve, lagMs))
      await engine.stop()
      await command(replica.port, 'REPLICAOF', 'NO', 'ONE')
      unused.move()
      engine = replica
      target.port = replica.port
    },
    [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
  }
}
