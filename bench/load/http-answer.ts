/** End of a whole answer in the bytes received so far, or undefined while more must come. */
export function answerEnd(bytes: Buffer): number | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const bodyStart = headEnd + 4
  const length = contentLength(bytes.toString('latin1', 0, headEnd))
  const end = length === undefined ? chunksEnd(bytes, bodyStart) : bodyStart + length
  return end !== undefined && end <= bytes.length ? end : undefined
}

/** True if an answer is a success whose body contains every expected part. */
export function answers(answer: Buffer, expected: readonly string[]): boolean {
  if (answer.toString('latin1', 0, 12) !== 'HTTP/1.1 200') return false
  return expected.every((part) => answer.includes(part)) || contains(bodyText(answer), expected)
}

/** The body of a whole answer, with the framing of its chunks taken away. */
export function bodyText(answer: Buffer): string {
  const headEnd = answer.indexOf('\r\n\r\n')
  const bodyStart = headEnd + 4
  if (contentLength(answer.toString('latin1', 0, headEnd)) !== undefined) return answer.toString('utf8', bodyStart)
  return Buffer.concat([...chunks(answer, bodyStart)]).toString('utf8')
}

function contains(body: string, expected: readonly string[]): boolean {
  return expected.every((part) => body.includes(part))
}

function contentLength(head: string): number | undefined {
  const found = /\r\ncontent-length: *(\d+)/i.exec(head)
  return found === null ? undefined : Number(found[1])
}

function chunksEnd(bytes: Buffer, bodyStart: number): number | undefined {
  const last = bytes.indexOf('0\r\n\r\n', bodyStart)
  if (last < 0) return undefined
  let at = bodyStart
  for (const chunk of chunks(bytes, bodyStart)) at = chunk.byteOffset - bytes.byteOffset + chunk.length + 2
  return bytes.toString('latin1', at, at + 5) === '0\r\n\r\n' ? at + 5 : undefined
}

function* chunks(bytes: Buffer, bodyStart: number): Generator<Buffer> {
  let at = bodyStart
  while (true) {
    const lineEnd = bytes.indexOf('\r\n', at)
    if (lineEnd < 0) return
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16)
    const start = lineEnd + 2
    if (size === 0 || start + size + 2 > bytes.length) return
    yield bytes.subarray(start, start + size)
    at = start + size + 2
  }
}
