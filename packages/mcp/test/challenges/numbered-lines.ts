/** Lines of a hundred bytes, each with its number, in pieces that end anywhere. */
export function* numberedLines(bytes: number): Generator<Uint8Array> {
  const pieceBytes = 50_021
  let rest = new Uint8Array(0)
  for (let line = 1, made = 0; made < bytes; ) {
    const more = Buffer.alloc(Math.min(1_000, Math.ceil((bytes - made) / 100)) * 100, '.')
    for (let at = 0; at < more.length; at += 100, line++, made += 100) {
      more.write(`line ${line} ü`, at)
      more[at + 99] = 10
    }
    const all = new Uint8Array(rest.length + more.length)
    all.set(rest)
    all.set(more, rest.length)
    let at = 0
    for (; at + pieceBytes <= all.length; at += pieceBytes) yield all.subarray(at, at + pieceBytes)
    rest = all.slice(at)
  }
  if (rest.length > 0) yield rest
}

/** One of the lines: a hundred bytes of UTF-8, with a character of two bytes. */
export function numberedLine(line: number): string {
  return `${`line ${line} ü`.padEnd(98, '.')}\n`
}
