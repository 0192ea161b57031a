import { MethodNotFound, type RpcError } from '../../../wire/errors.ts'
import { sessionHeader } from '../headers.ts'
import { refusalIn, statusFailure } from './http-failures.ts'
import type { HttpResponse } from './http-response.ts'
import type { HeaderRecord, Settings } from './options.ts'
import { postHeaders } from './request-headers.ts'
import { discard } from './response-body.ts'
import { sendRequest } from './send-request.ts'

/** What one message, or one batch of them, needs to get to the server. */
export interface Outgoing {
  readonly url: URL
  readonly settings: Settings
  readonly signal: AbortSignal
  readonly body: string
  /** The headers of the conversation it is part of; nothing for a message that stands for itself. */
  readonly session: HeaderRecord | undefined
  /** The headers about the message itself. */
  readonly about: HeaderRecord
  /** The revision that it offers, while none is agreed on. */
  readonly offers?: string | undefined
  /** What is tried, for the message of an error. */
  readonly action: string
}

/** The server does not know the session any more, so it did not look at what was sent. */
export class SessionLost extends Error {
  readonly id: string

  constructor(id: string) {
    super('The session is over')
    this.id = id
  }
}

/** Posts a message. */
export function postMessage({ settings, session, about, ...rest }: Outgoing): Promise<HttpResponse> {
  const headers = { ...session, ...about, ...postHeaders }
  return sendRequest({ ...rest, method: 'POST', headers }, settings)
}

/** Posts what is not answered; resolves when the server has accepted it. */
export async function postNotification(outgoing: Outgoing): Promise<void> {
  const response = await postMessage(outgoing)
  if (!response.ok) throw statusFailure(outgoing, response, await refusalOf(response, outgoing))
  await discard(response)
}

/** What the server says beside the status of a refusal; throws when that it refuses means that the session is lost. */
export async function refusalOf(response: HttpResponse, { session }: Outgoing): Promise<RpcError | undefined> {
  const refusal = await refusalIn(response)
  const id = session?.[sessionHeader]
  if (response.status === 404 && id !== undefined && refusal?.code !== MethodNotFound) throw new SessionLost(id)
  return refusal
}
