const chunk = 0x8000

/** Encodes bytes as base64; a string is returned as it is. */
export function base64(data: Uint8Array | string): string {
  if (typeof data === 'string') return data
  const { buffer, byteOffset, byteLength } = data
  // many times faster, where there is one
  if (globalThis.Buffer) return globalThis.Buffer.from(buffer, byteOffset, byteLength).toString('base64')
  let binary = ''
  // in chunks, because the number of arguments is limited
  for (let at = 0; at < data.length; at += chunk) binary += String.fromCharCode(...data.subarray(at, at + chunk))
  return btoa(binary)
}

/** Decodes base64; throws where it is none. */
export function fromBase64(text: string): Uint8Array {
  const binary = atob(text)
  const bytes = new Uint8Array(binary.length)
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at)
  return bytes
}

/** The bytes of a byte array or buffer; undefined for views of other types. */
export function bytesOf(value: unknown): Uint8Array | undefined {
  if (value instanceof Uint8Array) return value
  if (value instanceof Uint8ClampedArray || value instanceof DataView)
    return new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
  return value instanceof ArrayBuffer ? new Uint8Array(value) : undefined
}
