import type { EffectiveConfig } from '../effective.ts'

/** The names of the secrets that a part of a configuration refers to, inputs among them. */
export function secretNamesIn(part: unknown): readonly string[] {
  const text = JSON.stringify(part) ?? ''
  const secrets = [...text.matchAll(/secret:([A-Za-z0-9_.-]+)/g)].map(([, name]) => `${name}`)
  const inputs = [...text.matchAll(/\$\{input:([^}:]+)/g)].map(([, id]) => `input.${id}`)
  return [...new Set([...secrets, ...inputs])]
}

/** Users of each secret of a configuration: servers by name, models as `model NAME`. */
export function secretUses({
  servers,
  settings,
}: Pick<EffectiveConfig, 'servers' | 'settings'>): ReadonlyMap<string, readonly string[]> {
  const users = [
    ...servers.map(({ name, entry }) => [name, entry] as const),
    ...Object.entries(settings.models ?? {}).map(([name, entry]) => [`model ${name}`, entry] as const),
  ]
  const uses = new Map<string, string[]>()
  for (const [user, part] of users) {
    for (const name of secretNamesIn(part)) uses.set(name, [...(uses.get(name) ?? []), user])
  }
  return uses
}

/** Prefix of sign-ins, which the host keeps in the same file. */
const signInPrefix = 'oauth.'

/** True if a name is one of those that sign-ins are kept under, which people do not set. */
export function isSignIn(name: string): boolean {
  return name.startsWith(signInPrefix)
}

/** One secret by its name, and its users. */
export interface ListedSecret {
  readonly name: string
  /** False if it is referred to and missing. */
  readonly isKept: boolean
  readonly uses: readonly string[]
}

/** Secrets that are kept, and those that a configuration refers to. */
export function listSecrets(
  config: Pick<EffectiveConfig, 'servers' | 'settings'>,
  names: readonly string[],
): readonly ListedSecret[] {
  const uses = secretUses(config)
  const kept = names.filter((name) => !isSignIn(name))
  return [...new Set([...kept, ...uses.keys()])].sort().map((name) => ({
    name,
    isKept: kept.includes(name),
    uses: uses.get(name) ?? [],
  }))
}
