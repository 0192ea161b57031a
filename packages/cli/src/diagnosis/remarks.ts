import { soundUpdates, updatesInWords, updatesOff } from '@trunkline/host/requirements'
import type { Requirements, Updates } from '@trunkline/mcp/contract'
import type { Patient } from './finding.ts'

/** What a server or its package says of itself by the contract. */
export interface Said {
  readonly requires?: Requirements | undefined
  readonly updates?: Updates | undefined
}

/** What a server says that nobody can look for, for a person to see to. */
export function remarksOn(
  { requires, updates }: Said,
  env: { readonly [name: string]: string },
  { words, source }: Patient,
): readonly string[] {
  const accounts = (requires?.credentials ?? []).map(
    (service) => `It says that it needs an account at ${service}; only you can tell whether it has one`,
  )
  const sound = soundUpdates(updates)
  // the host turns it off for the servers that it runs
  const own = words.startsWith('-- ') ? env : { ...env, ...updatesOff(sound, env) }
  const replaces = updatesInWords(sound, own, source)
  return replaces === undefined ? accounts : [...accounts, replaces]
}
