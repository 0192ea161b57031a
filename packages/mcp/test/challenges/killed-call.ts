import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '@trunkline/mcp'
import { contract } from '@trunkline/mcp/contract'

const program = new URL('five-steps-server.ts', import.meta.url).pathname

/** A store and the effects that were counted, both of them files. */
export class Publisher {
  readonly #folder = mkdtempSync(join(tmpdir(), 'steps-'))

  /** Starts the server, which kills itself at a point, and calls a tool once. */
  async call(tool: string, key: string, killAt = '') {
    const args = [program, join(this.#folder, 'db'), join(this.#folder, 'effects'), killAt]
    await using mcp = await connect({ command: process.execPath, args }, { extensions: [contract()] })
    return await mcp.tools.call(tool, {}, { idempotencyKey: key, attempts: 1 })
  }

  /** The effects that happened, in order. */
  get effects(): readonly string[] {
    try {
      return readFileSync(join(this.#folder, 'effects'), 'utf8').trim().split('\n')
    } catch {
      return []
    }
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true })
  }
}

const steps = ['a', 'b', 'c', 'd', 'e'] as const

/** Every point at which the server may be killed, and how many effects it had by then. */
export const killPoints = steps.flatMap((step, at) => [
  { point: `before ${step}`, effects: at, isKnown: false },
  { point: `after ${step}`, effects: at + 1, isKnown: false },
  { point: `recorded ${step}`, effects: at + 1, isKnown: true },
])
