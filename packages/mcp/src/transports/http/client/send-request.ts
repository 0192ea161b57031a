import { headerNames } from '../../../dialects/http-status.ts'
import { McpError } from '../../../wire/errors.ts'
import type { HeaderRecord, Settings } from './http-channel-options.ts'
import { networkFailure, noteToken } from './http-failures.ts'
import type { HttpResponse } from './http-response.ts'
import { followRedirects } from './redirects.ts'

/** One HTTP request. */
export interface ClientHttpRequest {
  readonly method: 'POST' | 'GET' | 'DELETE'
  readonly url: URL
  /** These override the headers of the options. */
  readonly headers: HeaderRecord
  readonly body?: string
  readonly signal: AbortSignal
  /** The revision that `initialize` offers. */
  readonly offers?: string | undefined
  /** The attempted action, for error messages. */
  readonly action: string
}

/** Sends one HTTP request; rejects with the signal's reason, or with an error with its outcome. */
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

/** Merges headers; later ones win. */
export function mergeHeaders(records: readonly HeaderRecord[], action: string): Record<string, string> {
  const headers = new Map<string, string>()
  for (const record of records) {
    for (const name in record) {
      const value = record[name]
      // the runtime's error would contain the value, which may be a secret
      if (!isName.test(name) || typeof value !== 'string' || !isValue.test(value)) throw unspeakable(action)
      headers.set(name.toLowerCase(), value)
    }
  }
  return Object.fromEntries(headers)
}

const isName = /^[!#$%&'*+.^_`|~\w-]+$/
const isValue = /^[\t\x20-\x7e\x80-\xff]*$/

function unspeakable(action: string): McpError {
  return new McpError('Misuse', `Cannot ${action}: the name or value of a header is invalid`, {
    outcome: 'NotSent',
  })
}
