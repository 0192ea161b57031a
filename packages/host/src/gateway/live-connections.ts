import type { EventEmitter } from 'node:events'
import { PassingSet } from '@trunkline/mcp/relay'

/** A response that is being written, or a connection of lines. */
type Live = Pick<EventEmitter, 'once'> & { destroy(): unknown }

/** Answers under way, so that they can be ended when their caller is no longer allowed. */
export class LiveConnections {
  readonly #live = new PassingSet<{ readonly connection: Live; readonly mayStay: () => boolean }>()

  get size(): number {
    return this.#live.size
  }

  /** Remembers one until it closes. */
  add(connection: Live, mayStay: () => boolean): void {
    const place = this.#live.add({ connection, mayStay })
    connection.once('close', () => this.#live.delete(place))
  }

  /** Ends those that may not stay. */
  review(): void {
    for (const { connection, mayStay } of this.#live) if (!mayStay()) connection.destroy()
  }
}
