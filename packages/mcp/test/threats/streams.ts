/** Streams of events on a server of a test's own, read by the parser that clients use. */
import { EventParser } from '../../src/transports/http/client/event-parser.ts'
import { Mailbox } from '../mailbox.ts'
import type { Headers, Letter } from './messages.ts'

/** One event as it arrived. */
export interface Arrived {
  /** The id of the last event that had one. */
  readonly id: string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect to be there
  readonly message: any
}

/** A stream that is being read. */
export interface Reading extends Disposable {
  readonly status: number
  readonly headers: globalThis.Headers
  readonly events: Mailbox<Arrived>
  /** Resolves when the stream is over, with whether the server ended it in order. */
  readonly whenOver: Promise<boolean>
}

/** Posts a letter, or opens a stream when there is none, and reads the events that come back. */
export async function read(url: string, { headers, body }: { headers: Headers; body?: string }): Promise<Reading> {
  const leaving = new AbortController()
  const init = body === undefined ? {} : { method: 'POST', body }
  const response = await fetch(url, { ...init, headers, signal: leaving.signal })
  const events = new Mailbox<Arrived>()
  const parser: EventParser = new EventParser(({ data }) => {
    events.put({ id: parser.lastEventId, message: data === '' ? undefined : JSON.parse(data) })
  })
  const consume = async (): Promise<boolean> => {
    try {
      for await (const chunk of response.body ?? []) parser.push(chunk as Uint8Array)
      return true
    } catch {
      return false
    }
  }
  return {
    status: response.status,
    headers: response.headers,
    events,
    whenOver: consume(),
    [Symbol.dispose]: () => leaving.abort(),
  }
}

/** Opens the stream of a session for what belongs to no request. */
export function readSession(url: string, session: Headers, lastEventId?: string): Promise<Reading> {
  const resuming = lastEventId === undefined ? {} : { 'last-event-id': lastEventId }
  return read(url, { headers: { accept: 'text/event-stream', ...session, ...resuming } })
}

/** Posts a letter and reads the whole answer. */
export async function post(url: string, { headers, body }: Letter): Promise<Response> {
  return fetch(url, { method: 'POST', headers, body })
}
