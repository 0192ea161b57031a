import { posix } from 'node:path'

/** Whether a pattern speaks of paths or addresses, whose many spellings need care. */
export function isPathPattern(pattern: string): boolean {
  return pattern.includes('/')
}

/**
 * Whether a path or address can only mean what it says: absolute, and without anything that is read differently by
 * different programs.
 */
export function isPlainPath(value: string): boolean {
  const [, scheme = '', path = ''] = /^([a-z][a-z0-9+.-]*:\/\/)?([\s\S]*)$/i.exec(value) ?? []
  if (scheme === '' && !path.startsWith('/')) return false
  if (/[\\%\0]|\/\//.test(path)) return false
  return !path.split('/').some((part) => part === '.' || part === '..')
}

/** How often a value is decoded at most: nobody decodes more than twice. */
const maxDecodings = 3

/** The other spellings of a path or address that a program may take it for. */
export function spellingsOf(value: string, base: string | undefined): readonly string[] {
  const [, scheme = '', path = ''] = /^([a-z][a-z0-9+.-]*:\/\/)?([\s\S]*)$/i.exec(value) ?? []
  const spellings = new Set([value])
  let spelled = path
  for (let round = 0; round <= maxDecodings; round++) {
    const slashed = spelled.replaceAll('\\', '/').replace(/\0[\s\S]*$/, '')
    const absolute = scheme === '' && !slashed.startsWith('/') && base !== undefined ? `${base}/${slashed}` : slashed
    spellings.add(scheme + posix.normalize(absolute))
    const decoded = decoding(spelled)
    if (decoded === spelled) break
    spelled = decoded
  }
  return [...spellings]
}

function decoding(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
}
