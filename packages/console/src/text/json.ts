/** A value as people read it. */
export function prettyJson(value: unknown): string {
  return JSON.stringify(value, undefined, 2) ?? 'undefined'
}

/** A value as JSON with its members in order, so that two that are alike are the same text. */
export function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  )
}

/** A value to compare with another: text as it is, nothing as nothing. */
export function textOfValue(value: unknown): string {
  if (value === undefined) return ''
  return typeof value === 'string' ? value : prettyJson(value)
}

/** Merge patch from one object to another: its members, and null for each that is gone. */
export function changesOf(before: object, after: Record<string, unknown>): Record<string, unknown> {
  const gone = Object.keys(before).filter((name) => !Object.hasOwn(after, name))
  return { ...after, ...Object.fromEntries(gone.map((name) => [name, null])) }
}

/** The object that a text is, or what is wrong with it. */
export function parseFields(text: string): { readonly value: Record<string, unknown> } | { readonly problem: string } {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return { value: value as Record<string, unknown> }
    }
    return { problem: 'This must be a JSON object, in braces' }
  } catch (error) {
    return { problem: `This is not JSON: ${error instanceof Error ? error.message : error}` }
  }
}
