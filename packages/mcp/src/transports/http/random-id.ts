import { toBase64url } from '../../wire/base64url.ts'

/** A name of 192 random bits, which nobody can guess and nobody gets twice. */
export function randomId(): string {
  return toBase64url(crypto.getRandomValues(new Uint8Array(24)))
}
