/** A set of scopes, each one once. */
export type Scopes = readonly string[]

/** The scopes in a text that lists them with blanks between; what cannot be one is left out. */
export function scopesOf(text: string | undefined): Scopes {
  return union((text ?? '').split(' ').filter((scope) => /^[!#-[\]-~]+$/.test(scope)))
}

/** Every scope that is in one of the sets. */
export function union(...sets: readonly Scopes[]): Scopes {
  return [...new Set(sets.flat())]
}

/** Whether a set holds every scope of another. */
export function covers(set: Scopes, others: Scopes): boolean {
  return others.every((scope) => set.includes(scope))
}
