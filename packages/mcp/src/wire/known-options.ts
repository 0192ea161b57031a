import { McpError } from './errors.ts'
import { kindOf } from './kind-of.ts'
import { isObject } from './messages.ts'
import { didYouMean } from './near-name.ts'

/** The names of all options; the type keeps the list complete. */
export type KnownOptions<Options> = { readonly [Name in keyof Required<Options>]: true }

/** Refuses unknown options, such as misspelt ones; `action` is as in `Cannot connect`. */
export function refuseUnknownOptions(action: string, given: unknown, known: object, within = ''): void {
  if (given === undefined) return
  if (!isObject(given)) {
    const what = within === '' ? 'the options' : `"${within}"`
    throw new McpError('Misuse', `${action}: ${what} must be an object, not ${kindOf(given)}`)
  }
  const stray = Object.keys(given).find((name) => !Object.hasOwn(known, name))
  if (stray === undefined) return
  const path = within === '' ? stray : `${within}.${stray}`
  throw new McpError('Misuse', `${action}: there is no option "${path}"${didYouMean(stray, Object.keys(known))}`)
}
