/** Percent-encodes all but the unreserved characters; throws a `URIError` on a lone surrogate. */
export function encodeValue(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (kept) => `%${kept.charCodeAt(0).toString(16).toUpperCase()}`)
}

/** Percent-encodes what a URI cannot hold, leaving triplets alone; throws a `URIError` on a lone surrogate. */
export function encodeReserved(text: string): string {
  return encodeURI(text).replace(/%5B|%5D|%25(?=[0-9A-Fa-f]{2})/g, (triplet) => decodeURIComponent(triplet))
}

/** One spelling per URI: ASCII only, triplets in upper case; undefined when there is a lone surrogate. */
export function normalise(uri: string): string | undefined {
  try {
    return uri.replace(/%[0-9A-Fa-f]{2}|[\u0080-\uffff]+/g, (found) =>
      found.startsWith('%') ? found.toUpperCase() : encodeURIComponent(found),
    )
  } catch {
    return undefined
  }
}

/** True if every `%` starts a triplet and the bytes are UTF-8. */
export function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** The first characters of a text, counted as RFC 6570 counts a prefix: in code points. */
export function firstCharacters(text: string, count: number): string {
  let end = 0
  let left = count
  for (const character of text) {
    if (left-- <= 0) break
    end += character.length
  }
  return text.slice(0, end)
}

const percent = 0x25

/** True if a character of a normalised URI begins here, and neither a triplet nor the UTF-8 in triplets goes on. */
export function beginsCharacter(bytes: Uint8Array, position: number): boolean {
  if (bytes[position - 1] === percent || bytes[position - 2] === percent) return false
  const digit = bytes[position + 1] ?? 0
  // 8, 9, A or B: the first two bits of the encoded byte are 10
  return bytes[position] !== percent || !(digit === 0x38 || digit === 0x39 || digit === 0x41 || digit === 0x42)
}

/** A set of ASCII characters, indexed by their codes. */
export function asciiSet(characters: string): readonly boolean[] {
  const set = new Array<boolean>(128).fill(false)
  for (let at = 0; at < characters.length; at++) set[characters.charCodeAt(at)] = true
  return set
}
