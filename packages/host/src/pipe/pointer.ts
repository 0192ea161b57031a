/** The tokens of a JSON Pointer; undefined for a text that is none. @see https://www.rfc-editor.org/rfc/rfc6901 */
export function pointerTokens(pointer: string): readonly string[] | undefined {
  if (pointer === '') return []
  if (!pointer.startsWith('/') || /~(?![01])/.test(pointer)) return undefined
  return pointer
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** What stands at a place in a value, or undefined; members that a value inherits do not count. */
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
