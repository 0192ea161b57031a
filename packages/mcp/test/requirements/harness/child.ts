import assert from 'node:assert/strict'
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { programFile } from '../../../../../tools/lib/program-file.ts'
import { onLine } from '../../fixtures/lines.ts'
import { remembered } from '../../fixtures/quiet.ts'
import type { Wire } from './place.ts'

const folder = new URL('../../fixtures/', import.meta.url)

/** The command that starts a fixture, with its compiled sources kept, because they are started often. */
export function programOf(fixture: string, ...args: string[]) {
  const env = { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: join(tmpdir(), 'trunkline-compile-cache') }
  return { command: process.execPath, args: [programFile(new URL(`${fixture}.ts`, folder)), ...args], env }
}

/** The program of a fixture, which may serve one test after another. */
export class Child {
  readonly #process: ChildProcessWithoutNullStreams
  readonly #exited: Promise<unknown[]>
  #listener: ((line: string) => void) | undefined
  #stderr = ''
  #settled = 0

  constructor(fixture: string) {
    const { command, args, env } = programOf(fixture)
    this.#process = spawn(command, args, { env })
    this.#exited = once(this.#process, 'close')
    this.#process.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr += text
    })
    onLine(this.#process.stdout, (line) => this.#listener?.(line))
  }

  /** Its standard input and output, until another reader takes them over. */
  wire(): Wire {
    return {
      send: (text) => void this.#process.stdin.write(`${text}\n`),
      listen: (listener) => {
        this.#listener = listener
      },
    }
  }

  /** Resolves when it has said all that it has to say about what it was told; rejects when it is gone. */
  settle(): Promise<void> {
    this.#settled += 1
    const id = `settled ${this.#settled}`
    return new Promise((resolve, reject) => {
      this.#listener = (line) => {
        if (line.includes(`"id":"${id}"`)) resolve()
      }
      void this.#exited.then(() => reject(new Error(`A fixture ended too early: ${this.#stderr}`)))
      this.wire().send(JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' }))
    })
  }

  kill(): void {
    this.#process.kill('SIGKILL')
  }

  /** Ends its input; resolves when it has exited in good order and remembers nothing. */
  async close(): Promise<void> {
    this.#process.stdin.end()
    assert.deepEqual(await this.#exited, [0, null], this.#stderr)
    assert.ok(this.#stderr.endsWith(`${remembered}{"connections":0,"watchers":0}\n`), this.#stderr)
  }
}
