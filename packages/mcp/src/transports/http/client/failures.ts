import { McpError, RpcError } from '../../../wire/errors.ts'
import { readMessages } from '../../../wire/read.ts'
import type { HttpResponse } from './http-response.ts'
import { discard, readText, typeOf } from './response-body.ts'
import { statusOutcome } from './status-outcome.ts'

const mostRead = 65_536

/** What a status tells that is no success. */
export function statusFailure(action: string, { status, statusText }: HttpResponse, cause?: Error): McpError {
  const said = statusText === '' ? `${status}` : `${status} ${statusText}`
  const fix = status === 401 ? '; "auth" shows who is calling' : ''
  const outcome = statusOutcome(status)
  return new McpError('Http', `Cannot ${action}: the server answered ${said}${fix}`, { status, outcome, cause })
}

/** The protocol error in the body of a refusal, if there is one; whatever id it has, it is about this request. */
export async function refusalIn(response: HttpResponse): Promise<RpcError | undefined> {
  if (typeOf(response) === 'text/event-stream') {
    await discard(response)
    return undefined
  }
  try {
    const reading = readMessages(await readText(response, mostRead))
    if (!('error' in reading)) return undefined
    return new RpcError(reading.error.code, reading.error.message, reading.error.data)
  } catch {
    return undefined
  }
}

/** What it means that a request found no server, or got no response from it. */
export function networkFailure(action: string, error: unknown): McpError {
  if (isUnreachable(error)) {
    return new McpError('NotSent', `Cannot ${action}: the server cannot be reached`, {
      outcome: 'NotSent',
      cause: error,
    })
  }
  return new McpError('Closed', `Cannot ${action}: the connection broke before there was an answer`, {
    outcome: 'Unknown',
    cause: error,
  })
}

// runtimes name them differently, and some only say that it failed
const unreachable =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|UND_ERR_CONNECT_TIMEOUT|ERR_CONNECT_TIMEOUT|ConnectionRefused|FailedToOpenSocket|ERR_TLS_CERT_\w+|CERT_\w+|\w+_SELF_SIGNED_CERT\w*|UNABLE_TO_\w+)$/

function isUnreachable(error: unknown): boolean {
  for (let at = error, depth = 0; at instanceof Error && depth < 4; at = at.cause, depth++) {
    if ('code' in at && typeof at.code === 'string' && unreachable.test(at.code)) return true
  }
  return false
}

/** What it means that a request was answered by something that is no answer. */
export function invalidAnswer(method: string, problem: string, cause?: Error): McpError {
  return new McpError('InvalidResponse', `Cannot read the answer to "${method}": ${problem}`, {
    outcome: 'Unknown',
    cause,
  })
}

/** What it means that the server does not know the session any more: nothing that belongs to it was looked at. */
export function sessionOver(action: string, cause?: unknown): McpError {
  const why = cause === undefined ? '' : ' and could not be opened again'
  return new McpError('Closed', `Cannot ${action}: the session is over${why}`, { outcome: 'NotSent', cause })
}

/** What it means that this side has ended the conversation. */
export function closedFailure(): McpError {
  return new McpError('NotSent', 'Cannot send: the connection is closed', { outcome: 'NotSent' })
}
