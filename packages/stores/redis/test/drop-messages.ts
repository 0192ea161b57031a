import type { Filter } from '../../../../tools/lib/tcp-proxy.ts'

/** A message of a channel: three texts, of which the first says so. */
const message = '*3\r\n$7\r\nmessage\r\n'

/** A filter that drops what was published; Redis sends each message whole, and other answers do not begin so. */
export function dropMessages(): Filter {
  return (chunk) => {
    if (!chunk.includes(message)) return chunk
    const parts = chunk.toString('latin1').split(message)
    // what follows the channel and the text of a message is another answer
    const rest = parts.slice(1).map((part) => part.replace(/^\$\d+\r\n[^\r]*\r\n\$\d+\r\n[^\r]*\r\n/, ''))
    return Buffer.from([parts[0], ...rest].join(''), 'latin1')
  }
}
