import { McpError, MethodNotFound, type RpcError } from '../../../wire/errors.ts'
import { sessionHeader } from '../headers.ts'
import { Backoff } from './backoff.ts'
import type { HeaderRecord, Settings } from './http-channel-options.ts'
import { refusalIn, statusFailure } from './http-failures.ts'
import type { HttpResponse } from './http-response.ts'
import { postHeaders } from './request-headers.ts'
import { discard } from './response-body.ts'
import { sendRequest } from './send-request.ts'

/** A message or batch to post. */
export interface Outgoing {
  readonly url: URL
  readonly settings: Settings
  readonly signal: AbortSignal
  readonly body: string
  /** The session headers; undefined for a self-contained message. */
  readonly session: HeaderRecord | undefined
  /** The headers about the message itself. */
  readonly about: HeaderRecord
  /** The revision that `initialize` offers. */
  readonly offers?: string | undefined
  /** The attempted action, for error messages. */
  readonly action: string
}

/** The server has lost the session, so it did not handle the message. */
export class SessionLost extends Error {
  readonly id: string

  constructor(id: string) {
    super('The session has ended')
    this.id = id
  }
}

/** Posts a message. */
export function postMessage({ settings, session, about, ...rest }: Outgoing): Promise<HttpResponse> {
  const headers = { ...session, ...about, ...postHeaders }
  return sendRequest({ ...rest, method: 'POST', headers }, settings)
}

/** Posts a notification or response; resolves when the server has accepted it. */
export async function postNotification(outgoing: Outgoing): Promise<void> {
  const response = await postMessage(outgoing)
  if (!response.ok) throw statusFailure(outgoing, response, await refusalOf(response, outgoing))
  await discard(response)
}

/**
 * Posts an answer until it was accepted or refused: without it the call that asked waits in vain, and of two copies only
 * the first counts.
 */
export async function postAnswer(outgoing: Outgoing): Promise<void> {
  const { settings, signal } = outgoing
  const backoff = new Backoff(settings.reconnect, settings.clock)
  for (;;) {
    try {
      return await postNotification(outgoing)
    } catch (error) {
      signal.throwIfAborted()
      const waitMs = mayPassLater(error) ? backoff.next(error.retryAfterMs) : undefined
      if (waitMs === undefined) throw error
      await settings.clock.wait(waitMs, signal)
    }
  }
}

/** True if a message did not reach the server or its outcome is unknown, rather than being refused. */
function mayPassLater(error: unknown): error is McpError {
  if (!(error instanceof McpError)) return false
  return error.code === 'Http' ? error.outcome === 'Unknown' : error.code === 'Closed' || error.code === 'NotSent'
}

/** The protocol error of a refusal; throws when the session is lost. */
export async function refusalOf(response: HttpResponse, { session }: Outgoing): Promise<RpcError | undefined> {
  const refusal = await refusalIn(response)
  const id = session?.[sessionHeader]
  if (response.status === 404 && id !== undefined && refusal?.code !== MethodNotFound) throw new SessionLost(id)
  return refusal
}
