/**
 * Decoded bytes: text, or binary content. `text` is what a terminal would show, and `data` what the program wrote, unless
 * that is coloured: values are read from it, since a return or a control character may be part of one.
 */
export type Decoded =
  | { readonly kind: 'text'; readonly text: string; readonly data: string }
  | { readonly kind: 'binary'; readonly mimeType: string }

/** Tells text from other bytes; text is UTF-8, or what a byte order mark says. Of a part, the last character may be cut. */
export function decodeOutput(bytes: Uint8Array, isPart = false): Decoded {
  const encoding = encodingOf(bytes)
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: isPart })
    if (encoding !== 'utf-8' || !text.includes('\0')) {
      const shown = withoutEscapes(text)
      return { kind: 'text', text: shown, data: text.includes('\x1b') ? shown : text }
    }
  } catch {
    // it is no text
  }
  return { kind: 'binary', mimeType: mimeTypeOf(bytes) }
}

function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
}

/** Text without what moves a cursor, colours, rings or titles a window. */
export function withoutEscapes(text: string): string {
  return collapseOverwritten(text.replace(escapes, '').replace(controls, ''))
}

// strings that end with BEL or ST; control sequences; other escapes of two or three characters
const escapes =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what it is about
  /(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?|\x1b[ -/]*[0-~]?/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what it is about
const controls = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g

/** A line that was written over is what it was in the end, and line ends are alike. */
function collapseOverwritten(text: string): string {
  return text.includes('\r') ? text.split('\n').map(lastWritten).join('\n') : text
}

// by hand: a pattern would look at every run of returns anew from each of its places
function lastWritten(line: string): string {
  let end = line.length
  while (end > 0 && line[end - 1] === '\r') end -= 1
  return end === 0 ? '' : line.slice(line.lastIndexOf('\r', end - 1) + 1, end)
}

const signatures: readonly (readonly [string, readonly number[]])[] = [
  ['image/png', [0x89, 0x50, 0x4e, 0x47]],
  ['image/jpeg', [0xff, 0xd8, 0xff]],
  ['image/gif', [0x47, 0x49, 0x46, 0x38]],
  ['application/pdf', [0x25, 0x50, 0x44, 0x46]],
  ['application/gzip', [0x1f, 0x8b]],
  ['application/zip', [0x50, 0x4b, 0x03, 0x04]],
]

function mimeTypeOf(bytes: Uint8Array): string {
  const found = signatures.find(([, start]) => start.every((byte, at) => bytes[at] === byte))
  return found?.[0] ?? 'application/octet-stream'
}
