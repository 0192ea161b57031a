import { McpError } from './errors.ts'
import { didYouMean } from './near-name.ts'

/** Limits by name; every name says its unit, as `maxMessageBytes` and `maxSessionsPerCaller` do. */
export type Limits<Names extends object> = { readonly [Name in keyof Names]: number }

/** The given limits, with defaults for the others; unknown ones are ignored. */
export function resolveLimits<Defaults extends object>(
  defaults: Defaults,
  given: object | undefined,
): Limits<Defaults> {
  const resolved: { [name: string]: number } = { ...(defaults as { [name: string]: number }) }
  for (const [name, value] of Object.entries(given ?? {})) {
    if (name in defaults && value !== undefined) resolved[name] = checked(name, value)
  }
  return resolved as Limits<Defaults>
}

/** The given limits, with defaults for the others; unknown ones are refused. */
export function resolveKnownLimits<Defaults extends object>(
  defaults: Defaults,
  given: object | undefined,
): Limits<Defaults> {
  refuseUnknownLimits(given, defaults)
  return resolveLimits(defaults, given)
}

/** Refuses unknown limits, such as misspelt ones. */
export function refuseUnknownLimits(given: object | undefined, ...known: readonly object[]): void {
  const names = known.flatMap((defaults) => Object.keys(defaults))
  for (const name of Object.keys(given ?? {})) {
    if (names.includes(name)) continue
    throw new McpError('Misuse', `Cannot set "limits.${name}": no such limit here${didYouMean(name, names)}`)
  }
}

function checked(name: string, value: unknown): number {
  if (typeof value === 'number' && value >= 0) return value
  const shown = typeof value === 'string' ? JSON.stringify(value) : String(value)
  throw new McpError('Misuse', `Cannot set "limits.${name}" to ${shown}: give a number that is not negative`)
}
