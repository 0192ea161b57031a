/** The tokens of a JSON Pointer; undefined for any other text. @see https://www.rfc-editor.org/rfc/rfc6901 */
export function pointerTokens(pointer: string): readonly string[] | undefined {
  if (pointer === '') return []
  if (!pointer.startsWith('/') || /~(?![01])/.test(pointer)) return undefined
  return pointer
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** The value at a place in another, or undefined; inherited members do not count. */
export function pointedAt(value: unknown, tokens: readonly string[]): unknown {
  let found = value
  for (const token of tokens) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, token)) return undefined
    // the length of a list is none of its items
    if (Array.isArray(found) && !/^\d+$/.test(token)) return undefined
    found = (found as { readonly [name: string]: unknown })[token]
  }
  return found
}
