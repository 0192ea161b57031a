import { serverNameOf } from '@trunkline/host/config'
import type { Output } from '../output/output.ts'
import { styled } from '../output/span.ts'
import { inOneLine, type ServerSummary, stateInWords, stateStyles } from './show.ts'

type Status = Pick<ServerSummary, 'name' | 'state' | 'why'>

/** Tells of servers in one line each: the state, after how many seconds, and why. */
export class ServerLines {
  readonly #output: Output
  readonly #startedAt = new Map<string, number>()
  readonly #told = new Set<string>()

  constructor(output: Output) {
    this.#output = output
  }

  /** Says how a server is doing, now that this has changed. */
  tell({ name: key, state, why }: Status): void {
    const name = serverNameOf(key)
    const now = Date.now()
    if (state === 'starting') this.#startedAt.set(key, now)
    const startedAt = this.#startedAt.get(key)
    const seconds = startedAt === undefined || state === 'starting' ? undefined : (now - startedAt) / 1000
    // the duration of the start is known once the state has settled
    if (state !== 'starting') this.#startedAt.delete(key)
    this.#told.add(key)
    this.#output.event({ event: 'server', name, state, why, ...(seconds !== undefined && { seconds }) }, () => [
      styled('name', name),
      ' ',
      styled(stateStyles[state], stateInWords(state)),
      seconds === undefined ? '' : ` after ${seconds.toFixed(1)} s`,
      state === 'ready' || state === 'starting' ? '' : `: ${inOneLine(why)}`,
    ])
  }

  /** Says how a server is doing unless something was said of it before. */
  tellOnce(status: Status): void {
    if (!this.#told.has(status.name)) this.tell(status)
  }
}
