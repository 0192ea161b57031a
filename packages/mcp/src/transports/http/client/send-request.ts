import { headerNames } from '../../../dialects/http-status.ts'
import { McpError } from '../../../wire/errors.ts'
import { networkFailure, noteToken } from './http-failures.ts'
import type { HttpResponse } from './http-response.ts'
import type { HeaderRecord, Settings } from './options.ts'
import { followRedirects } from './redirects.ts'

/** One HTTP request. */
export interface ClientHttpRequest {
  readonly method: 'POST' | 'GET' | 'DELETE'
  readonly url: URL
  /** They win over those that the user gave. */
  readonly headers: HeaderRecord
  readonly body?: string
  readonly signal: AbortSignal
  /** The revision that it offers, while none is agreed on and its headers name none. */
  readonly offers?: string | undefined
  /** What is tried, for the message of an error. */
  readonly action: string
}

/** Makes one HTTP request; rejects with the signal's reason, or with an error that says what became of the request. */
export function sendRequest(wanted: ClientHttpRequest, settings: Settings): Promise<HttpResponse> {
  const { authorization } = settings
  if (!authorization) return send(wanted, settings)
  const revision = wanted.offers ?? wanted.headers[headerNames.version]
  return authorization.send({ ...wanted, revision }, (proof) => send(wanted, settings, proof))
}

async function send(wanted: ClientHttpRequest, settings: Settings, proof: HeaderRecord = {}): Promise<HttpResponse> {
  const { url, headers, action, offers: _, ...rest } = wanted
  const { fetch } = settings
  const given = typeof settings.headers === 'function' ? await settings.headers() : settings.headers
  const init = { ...rest, headers: mergeHeaders([given, proof, headers], action) }
  rest.signal.throwIfAborted()
  try {
    const response = await followRedirects(url, init, { fetch, action })
    noteToken(response, init.headers)
    return response
  } catch (error) {
    rest.signal.throwIfAborted()
    throw error instanceof McpError ? error : networkFailure({ action, url }, error)
  }
}

/** Several sets of headers in one, of which the last counts where they differ. */
export function mergeHeaders(records: readonly HeaderRecord[], action: string): Record<string, string> {
  const headers = new Map<string, string>()
  for (const record of records) {
    for (const name in record) {
      const value = record[name]
      // what the runtime would say of it repeats the value, which may be a secret
      if (!isName.test(name) || typeof value !== 'string' || !isValue.test(value)) throw unspeakable(action)
      headers.set(name.toLowerCase(), value)
    }
  }
  return Object.fromEntries(headers)
}

const isName = /^[!#$%&'*+.^_`|~\w-]+$/
const isValue = /^[\t\x20-\x7e\x80-\xff]*$/

function unspeakable(action: string): McpError {
  return new McpError('Misuse', `Cannot ${action}: a header has a name or value that headers cannot have`, {
    outcome: 'NotSent',
  })
}
