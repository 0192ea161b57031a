import { McpError } from '../wire/errors.ts'
import { kindOf } from '../wire/kind-of.ts'
import type { KnownOptions } from '../wire/known-options.ts'
import { isObject } from '../wire/messages.ts'
import { didYouMean } from '../wire/near-name.ts'
import type { RequestOptions } from './client-request.ts'

const knownOptions = {
  signal: true,
  onProgress: true,
  timeoutMs: true,
  maxTotalMs: true,
  context: true,
  meta: true,
  fresh: true,
} as const satisfies KnownOptions<RequestOptions>

/** The names of all options of a call: those of every client, and those that extensions add. */
export function callOptionNames(added: readonly string[]): ReadonlySet<string> {
  return new Set([...Object.keys(knownOptions), ...added])
}

/** Refuses unknown options of a call, such as misspelt ones; every call runs this, so it allocates nothing. */
export function checkCallOptions(method: string, given: object, known: ReadonlySet<string>): void {
  if (!isObject(given)) throw misuse(method, `the options must be an object, not ${kindOf(given)}`)
  for (const name in given) {
    if (known.has(name) || !Object.hasOwn(given, name)) continue
    const fix = didYouMean(name, known) || '; if an extension adds it, list that extension in "extensions"'
    throw misuse(method, `there is no option "${name}"${fix}`)
  }
}

function misuse(method: string, problem: string): McpError {
  return new McpError('Misuse', `Cannot call "${method}": ${problem}`, { outcome: 'NotSent' })
}
