import { redactText } from '@trunkline/base/redact'
import { visibleLine } from '@trunkline/base/visible'
import { ModelError, type ModelErrorCode } from './model-error.ts'

/** Error of the AI SDK for a failed request. */
interface CallFailure {
  readonly statusCode?: number
  readonly message: string
  readonly responseHeaders?: { readonly [name: string]: string }
  readonly cause?: unknown
  /** The last error, if it was tried more than once. */
  readonly lastError?: unknown
}

/** Characters kept of a provider's message, much of which is for its own log. */
const maxSaidChars = 300

/** Explains a failure of a provider to a person, with the place to look at. */
export function explainFailure(error: unknown, name: string): ModelError {
  if (error instanceof ModelError) return error
  const failure = lastOf(error)
  const { statusCode, responseHeaders } = failure
  const said = redactText(visibleLine(String(failure.message)).slice(0, maxSaidChars))
  const cannot = `Cannot ask the model "${name}"`
  if (statusCode === undefined) {
    const code: ModelErrorCode = isUnreachable(failure) ? 'Unreachable' : 'Failed'
    const hint = code === 'Unreachable' ? `; look at models.${name}.url` : ''
    return new ModelError(code, `${cannot}: ${said}${hint}`)
  }
  const { code, hint } = meaningOf(statusCode, name)
  const retryAt = code === 'Limited' ? retryTime(responseHeaders) : undefined
  return new ModelError(code, `${cannot}: the provider answered ${statusCode}: ${said}${hint}`, { retryAt })
}

function meaningOf(status: number, name: string): { readonly code: ModelErrorCode; readonly hint: string } {
  if (status === 401 || status === 403) return { code: 'Key', hint: `; look at models.${name}.key` }
  if (status === 404) return { code: 'Refused', hint: `; look at models.${name}.name and models.${name}.url` }
  if (status === 429 || status === 529) return { code: 'Limited', hint: '; try again later' }
  if (status >= 500) return { code: 'Unreachable', hint: '; try again later' }
  return { code: 'Refused', hint: '' }
}

function lastOf(error: unknown): CallFailure {
  const failure = error as CallFailure
  return failure?.lastError === undefined ? failure : lastOf(failure.lastError)
}

function isUnreachable({ message, cause }: CallFailure): boolean {
  const { code } = (cause ?? {}) as { readonly code?: unknown }
  return /^Cannot connect|fetch failed/i.test(message) || typeof code === 'string'
}

function retryTime(headers: CallFailure['responseHeaders']): number | undefined {
  const ms = Number(headers?.['retry-after-ms'])
  if (Number.isFinite(ms)) return Date.now() + ms
  const seconds = Number(headers?.['retry-after'])
  return Number.isFinite(seconds) ? Date.now() + seconds * 1000 : undefined
}
