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
