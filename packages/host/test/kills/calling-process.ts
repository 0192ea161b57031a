import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { CallToolResult } from '@trunkline/mcp'
import { programFile } from '../../../../tools/lib/program-file.ts'
import { type Deferred, deferred } from '../../src/relay/deferred.ts'
import type { WantedCall } from '../programs/caller.ts'

interface Answered {
  readonly id: number
  readonly result?: CallToolResult
  readonly error?: string
}

/** Calls tools from a process of its own, so that this one calls nothing and may decide. */
export class CallingProcess implements AsyncDisposable {
  readonly #child = fork(programFile(new URL('../programs/caller.ts', import.meta.url)), { execArgv: [] })
  readonly #waiting = new Map<number, Deferred<CallToolResult>>()
  #asked = 0

  constructor() {
    this.#child.on('message', (answered) => {
      const { id, result, error } = answered as Answered
      const waiting = this.#waiting.get(id)
      this.#waiting.delete(id)
      if (result) waiting?.resolve(result)
      else waiting?.reject(new Error(error))
    })
  }

  /** Calls a tool; rejects where the host is gone. */
  call(wanted: Omit<WantedCall, 'id'>): Promise<CallToolResult> {
    this.#asked += 1
    const called = deferred<CallToolResult>()
    this.#waiting.set(this.#asked, called)
    this.#child.send({ ...wanted, id: this.#asked })
    return called.promise
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#child, 'exit')
    this.#child.disconnect()
    await ended
  }
}
