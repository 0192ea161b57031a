/** A value as people read it. */
export function prettyJson(value: unknown): string {
  return JSON.stringify(value, undefined, 2) ?? 'undefined'
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
