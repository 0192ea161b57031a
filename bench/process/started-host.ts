import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { type ApiClient, apiClient, findPlaces, findRunning } from '@trunkline/host/api'
import { sickProgram } from '../program/upstream.ts'
import { onBothCores } from './cores.ts'
import { installCommand, trunklineCommand } from './our-command.ts'

const ways = ['hangs', 'floods', 'crashes'] as const

/**
 * A home whose servers hang, flood and crash as soon as the host is there; they are accepted, so it starts them at once.
 * Each sample is the time from the start of `trunkline up` until a client is answered, in milliseconds.
 */
export class StartedHost {
  readonly #home: string

  private constructor(home: string) {
    this.#home = home
  }

  static async prepare(): Promise<StartedHost> {
    installCommand()
    const started = new StartedHost(mkdtempSync(join(tmpdir(), 'bench-host-')))
    const servers = ways.map((way) => [way, { command: process.execPath, args: [sickProgram, way], start: 'at once' }])
    const config = { host: { port: 0 }, mcpServers: Object.fromEntries(servers) }
    writeFileSync(join(started.#home, 'trunkline.json'), JSON.stringify(config))
    const { child } = await started.#up()
    await acceptAll(await started.#api())
    await end(child)
    return started
  }

  async sample(): Promise<number> {
    const start = performance.now()
    const { child, mcp } = await this.#up()
    try {
      // without a token it is refused, and that is an answer
      const { status } = await fetch(mcp, { method: 'POST' })
      if (status !== 401) throw new Error(`Cannot count this answer: its status is ${status}`)
      return performance.now() - start
    } finally {
      await end(child)
    }
  }

  close(): void {
    rmSync(this.#home, { recursive: true, force: true })
  }

  async #up(): Promise<{ readonly child: ChildProcess; readonly mcp: string }> {
    const child = spawn(...onBothCores(process.execPath, [trunklineCommand, 'up', '--json']), {
      cwd: this.#home,
      env: { ...process.env, HOME: this.#home, TRUNKLINE_HOME: this.#home },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    for await (const line of createInterface(child.stdout)) {
      const { event, mcp } = JSON.parse(line) as { event: string; mcp?: string }
      if (event !== 'ready' || mcp === undefined) continue
      // later output must not fill the pipe
      child.stdout.resume()
      return { child, mcp }
    }
    throw new Error('Cannot take the time of a start: the host ended before it was ready')
  }

  async #api(): Promise<ApiClient> {
    const environment = { TRUNKLINE_HOME: this.#home }
    const running = await findRunning(findPlaces({ platform: process.platform, home: this.#home, environment }))
    if (!running) throw new Error('Cannot accept the servers: no host runs')
    return apiClient(running)
  }
}

async function acceptAll(api: ApiClient): Promise<void> {
  // it answers before it has read the configuration
  let { items } = await api.call('servers')
  while (items.length < ways.length) {
    await wait(20)
    items = (await api.call('servers')).items
  }
  for (const { name: server, commandHash } of items) {
    // one that is sick is accepted all the same, and never gets to say what it offers
    api.call('acceptServer', { server, commandHash }).catch(() => {})
  }
  const started = async () => (await api.call('servers')).items.every(({ state }) => state !== 'needs you')
  while (!(await started())) await wait(20)
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
}
