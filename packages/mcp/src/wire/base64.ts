const chunk = 0x8000

/** Base64 of bytes; a string is taken to be base64 already. */
export function base64(data: Uint8Array | string): string {
  if (typeof data === 'string') return data
  let binary = ''
  // in pieces, because arguments of one call are limited
  for (let at = 0; at < data.length; at += chunk) binary += String.fromCharCode(...data.subarray(at, at + chunk))
  return btoa(binary)
}

/** The bytes of what holds nothing but bytes: views of other numbers do not. */
export function bytesOf(value: unknown): Uint8Array | undefined {
  if (value instanceof Uint8Array) return value
  if (value instanceof Uint8ClampedArray || value instanceof DataView)
    return new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
  return value instanceof ArrayBuffer ? new Uint8Array(value) : undefined
}
