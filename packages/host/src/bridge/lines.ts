import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'

/** A line beyond this ends the connection: both sides refuse such messages anyway. */
const maxLineLength = 64 * 1024 ** 2

/** Calls back for each line of a stream until it ends; a promise that is returned is waited for before the next. */
export async function eachLine(stream: Readable, take: (line: string) => Promise<void> | undefined): Promise<void> {
  const decoder = new StringDecoder('utf8')
  const pieces: string[] = []
  let length = 0
  for await (const chunk of stream) {
    const [first = '', ...rest] = decoder.write(chunk as Buffer).split('\n')
    pieces.push(first)
    length += first.length
    if (length > maxLineLength) throw new Error(`Cannot carry a line of more than ${maxLineLength} characters`)
    for (const next of rest) {
      await take(pieces.splice(0).join(''))
      pieces.push(next)
      length = next.length
    }
  }
}
