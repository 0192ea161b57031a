import { McpError } from '../../../wire/errors.ts'
import type { Fetch, HttpRequestInit } from './http-channel-options.ts'
import type { HttpResponse } from './http-response.ts'
import { discard } from './response-body.ts'
import { statusOutcome } from './status-outcome.ts'

const mostRedirects = 3

/** Options of following redirects. */
export interface FollowOptions {
  readonly fetch: Fetch
  /** The attempted action, for error messages. */
  readonly action: string
}

/** Fetches, and follows redirects that keep method and body and stay on the same origin. */
export async function followRedirects(
  url: URL,
  init: Omit<HttpRequestInit, 'redirect'>,
  { fetch, action }: FollowOptions,
): Promise<HttpResponse> {
  let at = url
  for (let redirects = 0; ; redirects++) {
    const response = await fetch(at.href, { ...init, redirect: 'manual' })
    const next = redirectOf(response, at)
    if (!next) return response
    await discard(response)
    const problem =
      redirects === mostRedirects ? `redirects more than ${mostRedirects} times` : problemOf(next, at, response)
    if (problem) throw refused(`Cannot ${action}: the server ${problem}`, response)
    at = next
  }
}

const nowhere = new URL('about:blank')

function redirectOf({ status, type, headers }: HttpResponse, at: URL): URL | undefined {
  if (type === 'opaqueredirect') return nowhere
  const location = status >= 300 && status < 400 ? headers.get('location') : null
  if (location === null) return undefined
  return URL.canParse(location, at) ? new URL(location, at) : nowhere
}

// neither the message nor the credentials may go to another origin
function problemOf(next: URL, at: URL, { status }: HttpResponse): string | undefined {
  if (next === nowhere) return 'redirects, and this runtime does not say where to'
  if (next.origin !== at.origin) return `redirects to another origin, ${next.origin}`
  return status === 307 || status === 308 ? undefined : `redirects by ${status}, which does not keep a request as it is`
}

function refused(message: string, { status }: HttpResponse): McpError {
  // runtimes that hide a redirect hide its status as well
  return new McpError('Http', message, { status: status === 0 ? undefined : status, outcome: statusOutcome(status) })
}
