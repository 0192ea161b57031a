import { type ListKind, watchedLists } from '../model/features.ts'
import type { Interest } from '../model/types.ts'
import { McpError } from '../wire/errors.ts'
import { kindOf } from '../wire/kind-of.ts'
import { type KnownOptions, refuseUnknownOptions } from '../wire/known-options.ts'
import { isObject } from '../wire/messages.ts'

const lists = Object.fromEntries(watchedLists.map(({ kind }) => [kind, true])) as KnownOptions<
  Record<ListKind, boolean>
>
const interests = { ...lists, uris: true } as const satisfies KnownOptions<Interest>

/** Checks the arguments of `watch`. */
export function checkedInterest(interest: Interest, onChange: unknown): Interest {
  if (!isObject(interest))
    throw misuse(`say what to watch, as in watch({ tools: true }, onChange), not ${kindOf(interest)}`)
  refuseUnknownOptions('Cannot watch', interest, interests)
  const { uris = [] } = interest
  if (!Array.isArray(uris)) throw misuse(`"uris" must be a list of strings, not ${kindOf(uris)}`)
  if (typeof onChange !== 'function') throw misuse(`the second argument must be a function, not ${kindOf(onChange)}`)
  return interest
}

function misuse(problem: string): McpError {
  return new McpError('Misuse', `Cannot watch: ${problem}`)
}

/** Checks that a completion target is a prompt or a template. */
export function checkCompletionTarget(target: unknown): void {
  if (isObject(target) && ('prompt' in target || 'template' in target) && typeof target.argument === 'string') return
  throw new McpError('Misuse', 'Cannot complete: give { prompt, argument } or { template, argument }')
}
