import {
  type Account,
  maxRateWaitMs,
  missingScope,
  notSignedIn,
  rateLimited,
  unavailable,
} from '@trunkline/server-kit/account-problem'
import { quoted } from '@trunkline/server-kit/preview'
import { ToolProblem } from '@trunkline/server-kit/tool-problem'

const github: Account = {
  product: 'GitHub',
  signIn:
    'The person sets a new token: trunkline secret set github.token (the variable GITHUB_TOKEN of this server), or github.app and github.key for an app',
}

/** Parts of an error of Octokit. */
interface RequestFailure {
  readonly status?: number
  readonly message: string
  readonly cause?: unknown
  readonly response?: { readonly headers: { readonly [name: string]: unknown }; readonly data?: unknown }
}

/** Says that GitHub takes no token from this server. */
export function signedOut(why: string): ToolProblem {
  return notSignedIn(github, why)
}

/** Failures of a connection before anything was sent. */
const notSent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** The problem that a failed request is told as; a write that got no answer may have been done. */
export function githubProblem(error: unknown, { isWrite = false } = {}): unknown {
  if (error instanceof ToolProblem || !(error instanceof Error)) return error
  const { status, response, cause } = error as Error & RequestFailure
  if (status === undefined) return error
  if (response === undefined) {
    const { reason, code } = reasonOf(cause ?? error)
    return unavailable(github, reason, { wasSent: isWrite && !notSent.has(code ?? '') })
  }
  const said = wordsOf(response.data)
  const waitMs = waitOf(status, response.headers, said)
  if (waitMs !== undefined) return rateLimited(github, waitMs)
  if (status === 401) return signedOut('the token is wrong, revoked or expired')
  if (status === 403) return forbidden(response.headers, said)
  if (status === 404 || status === 410)
    return new ToolProblem('not_found', 'Cannot find this at GitHub, or the token may not see it', {
      next: 'Look at owner, name and number; private repositories need a token that was given access to them',
    })
  if (status === 413)
    return new ToolProblem('refused', 'Cannot read this: the answer of GitHub is larger than this server reads')
  if (status === 405 || status === 409 || status === 412)
    return new ToolProblem('conflict', `GitHub refuses this as it stands now: ${said}`, {
      next: 'Read it again; nothing was changed',
    })
  if (status >= 500) return unavailable(github, `it answers with status ${status}`, { wasSent: isWrite })
  return new ToolProblem('refused', `GitHub refuses this: ${said}`, { next: 'Nothing was changed' })
}

/** Milliseconds until the next call, if GitHub limits them; undefined for other refusals. */
function waitOf(status: number, headers: { readonly [name: string]: unknown }, said: string): number | undefined {
  if (status !== 403 && status !== 429) return undefined
  const [after, remaining, reset] = [
    headers['retry-after'],
    headers['x-ratelimit-remaining'],
    headers['x-ratelimit-reset'],
  ]
  if (after !== undefined) return Number(after) * 1_000 || maxRateWaitMs
  if (remaining !== undefined && Number(remaining) === 0)
    return Math.max(1_000, Number(reset) * 1_000 - Date.now()) || maxRateWaitMs * 2
  return status === 429 || /secondary rate/i.test(said) ? maxRateWaitMs * 2 : undefined
}

/** Scopes of classic tokens and permissions of others are told in different headers. */
function forbidden(headers: { readonly [name: string]: unknown }, said: string): ToolProblem {
  const listed = (name: string) =>
    `${headers[name] ?? ''}`
      .split(/[,;]/)
      .map((scope) => scope.trim())
      .filter(Boolean)
  const permissions = listed('x-accepted-github-permissions')
  if (permissions.length > 0 && /not accessible/i.test(said)) return missingScope(github, permissions.join(', '))
  const [accepted, granted] = [listed('x-accepted-oauth-scopes'), listed('x-oauth-scopes')]
  const [first] = accepted
  if (first !== undefined && !accepted.some((scope) => granted.includes(scope))) return missingScope(github, first)
  if (/not accessible by/i.test(said)) return missingScope(github, 'repo')
  return new ToolProblem('refused', `GitHub refuses this: ${said}`, { next: 'Nothing was changed' })
}

/** The sentence of GitHub in quotes, with the fields that it names. */
function wordsOf(data: unknown): string {
  const { message = '', errors = [] } = (typeof data === 'object' && data !== null ? data : { message: data }) as {
    message?: string
    errors?: readonly (string | { field?: string; code?: string; message?: string })[]
  }
  const details = (Array.isArray(errors) ? errors : []).map((each) =>
    typeof each === 'string' ? each : (each.message ?? `${each.field} ${each.code}`),
  )
  return quoted([message, ...details].filter(Boolean).join('; ') || 'no reason given', 300)
}

function reasonOf(error: unknown): { readonly reason: string; readonly code: string | undefined } {
  const { code, message, name, cause } = error as { code?: string; message?: string; name?: string; cause?: unknown }
  if (cause !== undefined) return reasonOf(cause)
  if (name === 'TimeoutError') return { reason: 'it does not answer in time', code: undefined }
  return { reason: quoted(code ?? message ?? 'no answer'), code }
}
