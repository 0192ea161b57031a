import type { Channel } from '@trunkline/mcp/client'
import type { Relay } from '@trunkline/mcp/relay'
import { type ServerKey, serverNameOf } from '../../act/server-key.ts'
import { CallerHttp } from './caller-http.ts'
import { Openings } from './openings.ts'
import { watchServerHttp } from './server-http.ts'
import { tapFront } from './tap-front.ts'
import { tapServer } from './tap-server.ts'
import type { WireItem } from './wire-item.ts'
import { WireLog, type WireLogOptions } from './wire-log.ts'
import { wireRecording } from './wire-recording.ts'
import { type WireSpan, wireSpans } from './wire-spans.ts'

/** Messages between callers, the host and servers, kept while they are watched. */
export class Wire {
  readonly log: WireLog
  readonly callers = new CallerHttp()
  readonly #openings = new Map<string, Openings>()

  constructor(options: WireLogOptions) {
    this.log = new WireLog(options)
    watchServerHttp(this.log)
  }

  /** An address of the gateway whose messages can be watched. */
  front(relay: Relay): Relay {
    return tapFront(relay, this.log, this.callers)
  }

  /** A connection to a server whose messages can be watched. */
  channel(server: ServerKey, channel: Channel): Channel {
    const openings = this.#openings.get(server) ?? new Openings()
    this.#openings.set(server, openings)
    openings.clear()
    return tapServer(channel, this.log, openings)
  }

  /** A server that is gone. */
  forget(server: ServerKey): void {
    this.#openings.delete(server)
  }

  /** Items of an act, in order. */
  of(act: string): readonly WireItem[] {
    return this.log.items.filter((item) => item.act === act)
  }

  /** Durations of requests, of acts from a time on. */
  spans(since: number): readonly WireSpan[] {
    return wireSpans(this.log.items.filter(({ at }) => at >= since))
  }

  /** Messages between the host and one server, in the form of a recording; empty if there are none. */
  recording(key: ServerKey): readonly string[] {
    const items = this.log.items.filter(({ server }) => server === serverNameOf(key))
    return items.length === 0 ? [] : wireRecording(this.#openings.get(key), items)
  }
}
