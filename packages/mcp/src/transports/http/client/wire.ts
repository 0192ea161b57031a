import { McpError } from '../../../wire/errors.ts'
import { networkFailure } from './failures.ts'
import { follow } from './follow.ts'
import type { HeaderRecord, Settings } from './options.ts'

/** One HTTP request. */
export interface WireRequest {
  readonly method: 'POST' | 'GET' | 'DELETE'
  readonly url: URL
  /** They win over those that the user gave. */
  readonly headers: HeaderRecord
  readonly body?: string
  readonly signal: AbortSignal
  /** What is tried, for the message of an error. */
  readonly action: string
}

/** Makes one HTTP request; rejects with the signal's reason, or with an error that says what became of the request. */
export function request(wanted: WireRequest, settings: Settings): Promise<Response> {
  const { authorization } = settings
  return authorization ? authorization.send(wanted, (proof) => send(wanted, settings, proof)) : send(wanted, settings)
}

async function send(wanted: WireRequest, settings: Settings, proof: HeaderRecord = {}): Promise<Response> {
  const { url, headers, action, ...rest } = wanted
  const { fetch } = settings
  const given = typeof settings.headers === 'function' ? await settings.headers() : settings.headers
  const init = { ...rest, headers: merged([given, proof, headers], action) }
  rest.signal.throwIfAborted()
  try {
    return await follow(url, init, { fetch, action })
  } catch (error) {
    rest.signal.throwIfAborted()
    throw error instanceof McpError ? error : networkFailure(action, error)
  }
}

function merged(records: readonly HeaderRecord[], action: string): HeaderRecord {
  const headers = new Headers()
  try {
    for (const record of records) for (const [name, value] of Object.entries(record)) headers.set(name, value)
  } catch {
    // what the runtime says repeats the value, which may be a secret
    throw new McpError('Misuse', `Cannot ${action}: a header has a name or value that headers cannot have`, {
      outcome: 'NotSent',
    })
  }
  return Object.fromEntries(headers)
}
