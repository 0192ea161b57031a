/** A set of scopes without duplicates. */
export type Scopes = readonly string[]

/** Parses scopes that are separated by spaces; leaves out what is not a scope. */
export function scopesOf(text: string | undefined): Scopes {
  return union((text ?? '').split(' ').filter((scope) => /^[!#-[\]-~]+$/.test(scope)))
}

/** Every scope that is in one of the sets. */
export function union(...sets: readonly Scopes[]): Scopes {
  return [...new Set(sets.flat())]
}

/** True if a set holds every scope of another. */
export function covers(set: Scopes, others: Scopes): boolean {
  return others.every((scope) => set.includes(scope))
}
