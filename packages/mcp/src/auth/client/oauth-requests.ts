import * as oauth from 'oauth4webapi'
import { AuthError } from '../shared/auth-error.ts'
import { guardedFetch } from '../shared/guarded-fetch.ts'
import type { Network } from '../shared/network.ts'
import type { Outbound } from '../shared/platform.ts'
import { jsonObjectOf } from '../shared/response-body.ts'

/** Options for sending a request that `oauth4webapi` composes. */
export interface OAuthRequestOptions {
  readonly network: Network
  readonly signal?: AbortSignal | undefined
  /** The attempted action, for error messages. */
  readonly action: string
}

interface Sendable {
  readonly method: string
  readonly headers: Record<string, string>
  readonly body?: unknown
}

/** Options that make `oauth4webapi` send its requests through {@link guardedFetch}. */
export function oauthRequestOptions({ network, signal, action }: OAuthRequestOptions) {
  const send = (url: string, { method, headers, body }: Sendable): Promise<Response> =>
    guardedFetch({ url, method, headers, body: body?.toString(), signal, action }, network)
  // the URL policy decides where http: is allowed
  return { [oauth.customFetch]: send, [oauth.allowInsecureRequests]: true }
}

/**
 * An error without secrets: of what was sent and received it contains only the server's `error` and
 * `error_description`.
 */
export async function failureOf(error: unknown, action: string, secrets: readonly string[] = []): Promise<AuthError> {
  if (error instanceof AuthError) return error
  const said = await wordsOf(error)
  if (!said)
    return new AuthError('invalid', `Cannot ${action}: ${error instanceof Error ? error.message : 'it failed'}`)
  const [code = 'no', description] = [said.error, said.error_description].map((words) => sanitizedText(words, secrets))
  const why = description ? `"${code}", ${description}` : `"${code}"`
  return new AuthError('refused', `Cannot ${action}: the authorization server says ${why}`, { error: code })
}

type Words = { readonly error?: unknown; readonly error_description?: unknown }

async function wordsOf(error: unknown): Promise<Words | undefined> {
  if (error instanceof oauth.ResponseBodyError || error instanceof oauth.AuthorizationResponseError) return error
  if (!(error instanceof oauth.WWWAuthenticateChallengeError)) return undefined
  const document = await jsonObjectOf(error.response)
  return document?.error === undefined ? (error.cause[0]?.parameters ?? {}) : document
}

const longest = 200

/** Text of a server that can be shown: shortened, printable, and without secrets. */
export function sanitizedText(words: unknown, secrets: readonly string[]): string | undefined {
  if (typeof words !== 'string') return undefined
  const clean = secrets.reduce((text, secret) => text.replaceAll(secret, '[secret]'), words)
  return clean.replaceAll(/[^\x21-\x7e]+/g, ' ').slice(0, longest)
}

/** A network that records the secrets it sends, in every encoding in which a server could repeat them. */
export function recordingSecrets(network: Network): { readonly network: Network; readonly secrets: readonly string[] } {
  const secrets: string[] = []
  return {
    secrets,
    network: {
      ...network,
      fetch(outbound) {
        secrets.push(...secretsIn(outbound).flatMap(formsOf))
        return network.fetch(outbound)
      },
    },
  }
}

const harmless: ReadonlySet<string> = new Set(['client_id', 'resource', 'scope', 'audience', 'redirect_uri'])

function secretsIn({ headers: { authorization = '' }, body }: Outbound): readonly string[] {
  const posted = [...new URLSearchParams(body)].filter(([name]) => !harmless.has(name) && !name.endsWith('_type'))
  const [scheme, shown = ''] = authorization.split(' ')
  const [, password = ''] = scheme === 'Basic' ? atob(shown).split(':') : []
  const decoded = new URLSearchParams(`=${password}`).get('') ?? ''
  return [...posted.map(([, value]) => value), shown, decoded].filter((secret) => secret !== '')
}

function formsOf(secret: string): readonly string[] {
  return [secret, encodeURIComponent(secret), new URLSearchParams([['', secret]]).toString().slice(1)]
}
