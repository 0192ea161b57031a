import { toBase64url } from '../../wire/base64url.ts'

/** An id of 192 random bits. */
export function randomId(): string {
  return toBase64url(crypto.getRandomValues(new Uint8Array(24)))
}
