/** Characters that programs replace by something else, or read in different ways. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const unclear = /[\\%*?[\]{}$`\u0000-\u001f\u007f]|\/\/|^~|^\s|\s$/
const address = /^[a-z][a-z0-9+.-]*:/i

/** True if a path can only mean what it says: nothing in it is read in different ways by different programs. */
export function isPlainPath(value: string): boolean {
  if (value === '' || unclear.test(value) || address.test(value)) return false
  return !value.split('/').some((part) => part === '.' || part === '..')
}

/** The path of a `file:` address that is written in the usual way; any other value as it is. */
export function pathOfFile(value: string): string {
  return /^file:\/\/\/[^/]/.test(value) ? value.slice('file://'.length) : value
}

/** Times that a value is decoded at most; programs that decode more than twice are not known. */
const maxDecodings = 3

/** A value, and the values that programs may take it for that decode, trim or cut it. */
export function decodingsOf(value: string): readonly string[] {
  const found = new Set<string>()
  let text = value
  for (let round = 0; round <= maxDecodings; round++) {
    found.add(text)
    found.add(text.replace(/\0[\s\S]*$/, '').trim())
    const decoded = text.replace(/%([0-9a-f]{2})/gi, (_, digits: string) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    )
    if (decoded === text) break
    text = decoded
  }
  return [...found]
}

/** The spellings of a path that a program may take a value for; a `file:` address is a path. */
export function spellingsOf(value: string): readonly string[] {
  const spellings = decodingsOf(value).flatMap((text) => {
    const slashed = text.replaceAll('\\', '/')
    const [, named] = /^\s*file:(?:\/\/[^/?#]*)?([^?#]*)/i.exec(slashed.replace(/[\t\r\n]/g, '')) ?? []
    if (named === undefined) return [text, slashed]
    // an address is shortened in another way than a path
    const shortened = URL.canParse(text) ? [new URL(text).pathname] : []
    return [text, slashed, ...[`/${named}`, ...shortened].flatMap(decodingsOf)]
  })
  return [...new Set(spellings)]
}

/** A path with a wildcard for each part that a program may expand; undefined where there is none. */
export function withWildcards(path: string): string | undefined {
  const wild = path
    .replace(/^~[^/]*/, '**')
    .replace(/\$\{[^}]*\}|\$\([^)]*\)|\$\w+|`[^`]*`|%\w+%/g, '**')
    .replace(/\{[^{}]*\}/g, '**')
    .replace(/\[[^\]]*\]|\?/g, '*')
    .replace(/\*{3,}/g, '**')
  if (!wild.includes('*')) return undefined
  // a path that climbs out of a wildcard may lead anywhere
  const climbs = wild.lastIndexOf('/../')
  return climbs < 0 ? wild : `/**${wild.slice(climbs + 3)}`
}
