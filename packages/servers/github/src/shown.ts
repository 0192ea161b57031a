/** The day of a time, as lists have it. */
export function day(time: string | null | undefined): string {
  return `${time ?? ''}`.slice(0, 10)
}

/** The first characters of a line of others; a surrogate pair is never halved. */
export function cutLine(text: string | null | undefined, maxChars: number): string {
  const line = `${text ?? ''}`.replaceAll(/\s+/g, ' ').trim()
  const chars = [...line.slice(0, maxChars * 2)]
  return chars.length <= maxChars ? chars.join('') : `${chars.slice(0, maxChars - 1).join('')}…`
}

/** Names of labels, the first few. */
export function labelNames(
  labels: readonly (string | { readonly name?: string | null })[] | undefined,
): readonly string[] {
  const names = (labels ?? []).map((label) => (typeof label === 'string' ? label : (label.name ?? '')))
  return names.slice(0, 4).map((name) => cutLine(name, 24))
}
