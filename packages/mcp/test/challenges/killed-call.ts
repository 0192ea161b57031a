import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '@trunkline/mcp'
import { contract } from '@trunkline/mcp/contract'
import { programFile } from '../../../../tools/lib/program-file.ts'

const program = programFile(new URL('five-steps-server.ts', import.meta.url))

/** A store and the effects that were counted, both of them files that outlive every server. */
export class Publisher {
  readonly #folder = mkdtempSync(join(tmpdir(), 'steps-'))

  /** Starts a server, which kills itself at a point. */
  start(killAt = '') {
    const args = [program, join(this.#folder, 'db'), join(this.#folder, 'effects'), killAt]
    const env = { NODE_COMPILE_CACHE: join(tmpdir(), 'trunkline-five-steps') }
    return connect({ command: process.execPath, args, env }, { extensions: [contract()] })
  }

  /** Starts a server over HTTP, and gives back its address. */
  async listen(): Promise<{ readonly url: URL } & Disposable> {
    const args = [program, join(this.#folder, 'db'), join(this.#folder, 'effects'), 'http']
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    const [line] = await once(child.stdout, 'data')
    return { url: new URL(String(line).trim()), [Symbol.dispose]: () => void child.kill('SIGKILL') }
  }

  /** Calls a tool once, in a server that kills itself at a point. */
  async call(tool: string, key: string, killAt = '') {
    await using mcp = await this.start(killAt)
    return await mcp.tools.call(tool, { key }, { idempotencyKey: key, attempts: 1 })
  }

  /** The effects of a call that happened, in order. */
  effects(key: string): readonly string[] {
    const all = readFileSync(join(this.#folder, 'effects'), { encoding: 'utf8', flag: 'a+' }).split('\n')
    return all.filter((line) => line.startsWith(`${key} `)).map((line) => line.slice(key.length + 1))
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true })
  }
}

const steps = ['a', 'b', 'c', 'd', 'e'] as const

/** Every point at which the server may be killed, the effects it had by then, and whether their number is known. */
export const killPoints = [
  { point: 'before it begins', effects: 0, isKnown: true },
  { point: 'when it has begun', effects: 0, isKnown: true },
  ...steps.flatMap((step, at) => [
    { point: `before ${step}`, effects: at, isKnown: false },
    { point: `after ${step}`, effects: at + 1, isKnown: false },
    { point: `when ${step} is recorded`, effects: at + 1, isKnown: true },
  ]),
  { point: 'when it is recorded', effects: 5, isKnown: true },
]

/** Every point within the undoing of four steps. */
export const undoPoints = steps.slice(0, 4).flatMap((step) => [
  { point: `before ${step} is undone`, step },
  { point: `after ${step} is undone`, step },
])
