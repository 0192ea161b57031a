import { McpError, RpcError } from '../../../wire/errors.ts'
import { readMessages } from '../../../wire/read-messages.ts'
import { retryAfterMs } from './backoff.ts'
import type { HeaderRecord } from './http-channel-options.ts'
import type { HttpResponse } from './http-response.ts'
import { discard, readText, typeOf } from './response-body.ts'
import { statusOutcome } from './status-outcome.ts'

const mostRead = 65_536

/** A request, for error messages. */
export interface Attempt {
  readonly action: string
  readonly url: URL
}

/** Describes a request, without the secrets of its URL. */
export function describeAttempt({ action, url }: Attempt): string {
  return `Cannot ${action} to ${url.origin}${url.pathname}`
}

/** The error for an HTTP status. */
export function statusFailure(attempt: Attempt, response: HttpResponse, cause?: Error): McpError {
  const { status, statusText } = response
  const said = statusText === '' ? `${status}` : `${status} ${statusText}`
  const why = status === 401 ? unauthorized(response, cause) : isPageAt(response) ? `: ${webPage}` : ''
  const message = `${describeAttempt(attempt)}: the server answered ${said}${why}`
  const afterMs = retryAfterMs(response.headers.get('retry-after'), Date.now())
  return new McpError('Http', message, { status, outcome: statusOutcome(status), cause, retryAfterMs: afterMs })
}

/** Cause and remedy for an address at which a web page stands. */
const webPage = 'a web page stands there, not an MCP server; the address of a server often ends in "/mcp"'

/** Tells refusals of the path or the method from those of a server that is only busy or broken. */
function isPageAt(response: HttpResponse): boolean {
  return [404, 405, 501].includes(response.status) && typeOf(response) === 'text/html'
}

// a response does not know its request
const answersToken = new WeakSet<HttpResponse>()

/** Remembers whether a refused request had a token. */
export function noteToken(response: HttpResponse, headers: HeaderRecord): void {
  if (response.status === 401 && headers.authorization !== undefined) answersToken.add(response)
}

/** The error for a missing or refused token. */
function unauthorized(response: HttpResponse, cause: Error | undefined): string {
  if (!answersToken.has(response)) return ': no token was sent; "auth" shows who is calling'
  const described = /error_description="([^"]{1,200})"/.exec(response.headers.get('www-authenticate') ?? '')?.[1]
  const said = described ?? cause?.message
  return `: the token that was sent is not accepted${said === undefined ? '' : ` (${said})`}`
}

/** The protocol error in the body of a refusal, if there is one; its id is ignored. */
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

/** The error for a request without a response. */
export function networkFailure(attempt: Attempt, error: unknown): McpError {
  const tried = describeAttempt(attempt)
  const code = unreachableCode(error)
  if (code === 'ERR_PROXY')
    return new McpError('NotSent', `${tried}: ${(error as Error).message}`, { outcome: 'NotSent', cause: error })
  if (code !== undefined) return unreachable(attempt.url, { code, cause: error })
  return new McpError('Closed', `${tried}: the connection broke before the response`, {
    outcome: 'Unknown',
    cause: error,
  })
}

/** The error for a server to which no connection could be made; runtimes do not tell why a WebSocket was not opened. */
export function unreachable(
  url: URL,
  { code = '', cause }: { readonly code?: string; readonly cause?: unknown } = {},
): McpError {
  const message = `Cannot reach ${url.origin}${url.pathname}: ${whyUnreachable(url, code)}`
  return new McpError('NotSent', message, { outcome: 'NotSent', cause })
}

function whyUnreachable({ hostname, host, port, protocol }: URL, code: string): string {
  if (/ConnectionRefused|ECONNREFUSED/.test(code)) {
    const usual = /^(?:https|wss):$/.test(protocol) ? '443' : '80'
    return `nothing listens on port ${port || usual} of ${hostname} (${code}); start the server, or correct the address`
  }
  if (/^(?:ENOTFOUND|EAI_AGAIN)$/.test(code))
    return `the name "${hostname}" cannot be looked up (${code}); check its spelling and the network`
  if (untrusted.test(code))
    return `nobody here knows who signed its certificate (${code}); give that authority in "network.ca" or NODE_EXTRA_CA_CERTS`
  const said = code === '' ? '' : ` (${code})`
  return `no connection to ${host} can be made${said}; start the server, or correct the address`
}

// error codes differ between runtimes
const unreachableCodes =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|UND_ERR_CONNECT_TIMEOUT|ERR_CONNECT_TIMEOUT|ERR_PROXY|ConnectionRefused|FailedToOpenSocket|ERR_TLS_CERT_\w+|CERT_\w+|\w*SELF_SIGNED_CERT\w*|UNABLE_TO_\w+)$/

const untrusted = /SELF_SIGNED_CERT|UNABLE_TO_(?:VERIFY|GET_ISSUER)/

function unreachableCode(error: unknown): string | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 4; at = at.cause, depth++) {
    if ('code' in at && typeof at.code === 'string' && unreachableCodes.test(at.code)) return at.code
  }
  return undefined
}

/** The error for an answer that is a web page. */
export function pageAnswer({ origin, pathname }: URL): McpError {
  return new McpError('InvalidResponse', `Cannot use ${origin}${pathname}: ${webPage}`, { outcome: 'Unknown' })
}

/** The error for a response that is not an answer. */
export function invalidAnswer(method: string, url: URL, problem: string): McpError {
  const message = `Cannot read the answer to "${method}" of ${url.origin}${url.pathname}: ${problem}`
  return new McpError('InvalidResponse', message, { outcome: 'Unknown' })
}

/** The error for a lost session: the request was not handled. */
export function sessionOver(action: string, cause?: unknown): McpError {
  const why = cause === undefined ? '' : ' and could not be opened again'
  return new McpError('Closed', `Cannot ${action}: the session has ended${why}`, { outcome: 'NotSent', cause })
}

/** The error for a closed connection. */
export function closedFailure(): McpError {
  return new McpError('NotSent', 'Cannot send: the connection is closed', { outcome: 'NotSent' })
}
