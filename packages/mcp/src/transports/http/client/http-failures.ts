import { McpError, RpcError } from '../../../wire/errors.ts'
import { readMessages } from '../../../wire/read-messages.ts'
import type { HttpResponse } from './http-response.ts'
import type { HeaderRecord } from './options.ts'
import { discard, readText, typeOf } from './response-body.ts'
import { statusOutcome } from './status-outcome.ts'

const mostRead = 65_536

/** What was tried, and where. */
export interface Attempt {
  readonly action: string
  readonly url: URL
}

/** What was tried, without what an address may keep secret. */
export function describeAttempt({ action, url }: Attempt): string {
  return `Cannot ${action} to ${url.origin}${url.pathname}`
}

/** What a status tells that is no success. */
export function statusFailure(attempt: Attempt, response: HttpResponse, cause?: Error): McpError {
  const { status, statusText } = response
  const said = statusText === '' ? `${status}` : `${status} ${statusText}`
  const why = status === 401 ? unauthorized(response, cause) : ''
  const message = `${describeAttempt(attempt)}: the server answered ${said}${why}`
  return new McpError('Http', message, { status, outcome: statusOutcome(status), cause })
}

// a response tells nothing of its request
const answersToken = new WeakSet<HttpResponse>()

/** Remembers whether a request that was refused had shown who sends it. */
export function noteToken(response: HttpResponse, headers: HeaderRecord): void {
  if (response.status === 401 && headers.authorization !== undefined) answersToken.add(response)
}

/** Whether there was no token or a wrong one, and what the server says about it. */
function unauthorized(response: HttpResponse, cause: Error | undefined): string {
  if (!answersToken.has(response)) return ': no token was sent; "auth" shows who is calling'
  const described = /error_description="([^"]{1,200})"/.exec(response.headers.get('www-authenticate') ?? '')?.[1]
  const said = described ?? cause?.message
  return `: the token that was sent is not accepted${said === undefined ? '' : ` (${said})`}`
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
export function networkFailure(attempt: Attempt, error: unknown): McpError {
  const tried = describeAttempt(attempt)
  const code = unreachableCode(error)
  if (code !== undefined)
    return new McpError('NotSent', `${tried}: the server cannot be reached (${code})`, {
      outcome: 'NotSent',
      cause: error,
    })
  return new McpError('Closed', `${tried}: the connection broke before there was an answer`, {
    outcome: 'Unknown',
    cause: error,
  })
}

// runtimes name them differently, and some only say that it failed
const unreachable =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|UND_ERR_CONNECT_TIMEOUT|ERR_CONNECT_TIMEOUT|ConnectionRefused|FailedToOpenSocket|ERR_TLS_CERT_\w+|CERT_\w+|\w+_SELF_SIGNED_CERT\w*|UNABLE_TO_\w+)$/

function unreachableCode(error: unknown): string | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 4; at = at.cause, depth++) {
    if ('code' in at && typeof at.code === 'string' && unreachable.test(at.code)) return at.code
  }
  return undefined
}

/** What it means that a request was answered by something that is no answer. */
export function invalidAnswer(method: string, url: URL, problem: string): McpError {
  const message = `Cannot read the answer to "${method}" of ${url.origin}${url.pathname}: ${problem}`
  return new McpError('InvalidResponse', message, { outcome: 'Unknown' })
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
