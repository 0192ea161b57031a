import { McpError } from '../../../wire/errors.ts'
import { EventStream, StreamRefused } from './event-stream.ts'
import type { HeaderRecord, Settings } from './http-channel-options.ts'
import type { HttpResponse } from './http-response.ts'
import { listenHeaders } from './request-headers.ts'
import { sendRequest } from './send-request.ts'

/** Dependencies of the listen stream. */
export interface ListenParts {
  readonly url: URL
  readonly settings: Settings
  readonly signal: AbortSignal
  /** The session headers. */
  readonly session: HeaderRecord
  /** The id of the last event of an earlier stream. */
  readonly lastEventId?: string | undefined
  /** Receives the text of one message. */
  receive(data: string): void
}

/** The stream failed; a later attempt can resume it. */
export interface Interrupted {
  readonly lastEventId: string | undefined
}

/** Reason why listening ended: there is nothing to listen to, the session has ended, or it was interrupted. */
export type ListenEnd = 'none' | 'lost' | Interrupted

/** Reads the listen stream of a session, and reconnects whenever it ends. */
export async function listenOnSession({ url, session, ...parts }: ListenParts): Promise<ListenEnd> {
  const { settings, signal } = parts
  let wasOpen = false
  const connect = (lastEventId: string | undefined): Promise<HttpResponse> => {
    const headers = { ...session, ...listenHeaders(lastEventId) }
    return sendRequest({ method: 'GET', url, headers, signal, action: 'listen' }, settings)
  }
  const stream = new EventStream({ ...parts, connect })
  for (;;) {
    try {
      const response = await stream.connect()
      wasOpen = true
      await stream.read(response)
      await stream.pause()
    } catch (error) {
      signal.throwIfAborted()
      const end = endOf(error, stream, wasOpen)
      if (end) return end
      stream.forget()
    }
  }
}

function endOf(error: unknown, { lastEventId }: EventStream, wasOpen: boolean): ListenEnd | undefined {
  if (!(error instanceof StreamRefused)) return { lastEventId: isTooLarge(error) ? undefined : lastEventId }
  const { status } = error
  if (status === 404) return wasOpen || lastEventId !== undefined ? 'lost' : 'none'
  if (status === 405 || status < 300) return 'none'
  // the events after the last id may be gone, and then the stream starts without an id
  return lastEventId === undefined ? { lastEventId } : undefined
}

// reconnecting would not help
function isTooLarge(error: unknown): boolean {
  return error instanceof McpError && error.code === 'TooLarge'
}
