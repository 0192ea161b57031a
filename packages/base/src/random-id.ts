const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/**
 * An id of random characters, six bits each. The first one is a letter: an id that begins with "-" would be taken for an
 * option of a command.
 */
export function randomId(length: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(length))
  return Array.from(bytes, (byte, at) => letters[byte & (at === 0 ? 0x1f : 0x3f)]).join('')
}
