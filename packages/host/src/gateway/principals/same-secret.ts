import { createHash, timingSafeEqual } from 'node:crypto'

/** The secret that a request shows in its `Authorization` header; empty when it shows none. */
export function bearerOf(authorization: string | undefined): string {
  return /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1] ?? ''
}

/** True if a secret is the expected one, in a time that tells nothing of either. */
export function isSameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(digestOf(given), digestOf(expected))
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
