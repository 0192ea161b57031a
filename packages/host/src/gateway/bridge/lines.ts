import type { Readable } from 'node:stream'
import { GrowingBuffer } from '@trunkline/base/growing-buffer'

/** A line beyond this ends the connection: both sides refuse such messages anyway. */
const defaultMaxLineBytes = 64 * 1024 ** 2
const lineEnd = 0x0a

/** Calls back for each line of a stream until it ends; a promise that is returned is waited for before the next. */
export async function eachLine(
  stream: Readable,
  take: (line: string) => Promise<void> | undefined,
  maxLineBytes = defaultMaxLineBytes,
): Promise<void> {
  const line = new GrowingBuffer()
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    let start = 0
    while (start < chunk.length) {
      const end = chunk.indexOf(lineEnd, start)
      const piece = chunk.subarray(start, end < 0 ? chunk.length : end)
      if (line.length + piece.length > maxLineBytes) {
        throw new Error(`Cannot carry a line of more than ${maxLineBytes} bytes`)
      }
      line.add(piece)
      if (end >= 0) await take(line.takeText())
      start += piece.length + (end < 0 ? 0 : 1)
    }
  }
}
