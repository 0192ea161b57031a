import { soundUpdates, updatesInWords, updatesOff } from '@trunkline/host/requirements'
import type { Requirements, Updates } from '@trunkline/mcp/contract'
import type { Patient } from './finding.ts'

/** Requirements and updates that a server or its package declares. */
export interface Said {
  readonly requires?: Requirements | undefined
  readonly updates?: Updates | undefined
}

/** Declared needs that cannot be checked here, for a person to see to. */
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
