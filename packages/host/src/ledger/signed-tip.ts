import { createPublicKey, hash, verify } from 'node:crypto'

/**
 * The end of the chain with a signature over it. It is the tip beside the key, the last line of an export, and an
 * anchor; the hash of the last line covers every line before it.
 */
export interface SignedTip {
  /** The number of the last line. Lines are counted from 1, so it is also how many were ever written. */
  readonly number: number
  /** The hash of that line; 64 zeros where there is none yet. */
  readonly hash: string
  /** The first line that was still kept. */
  readonly first: number
  /** Lines up to this one were written before this key signed; 0 where there are none. */
  readonly unsignedUpTo: number
  /** The time of the signature, as in `Date.now()`. */
  readonly at: number
  /** Ed25519, in base64 of its SPKI form, which is the body of a PEM file. */
  readonly publicKey: string
  /** Over `tipText`, in base64url. */
  readonly signature: string
}

/** The text that is signed. */
export function tipText({ number, hash, first, unsignedUpTo, at }: Omit<SignedTip, 'publicKey' | 'signature'>): string {
  return `trunkline ledger 1\n${number}\n${hash}\n${first}\n${unsignedUpTo}\n${at}`
}

/** True if the signature of a tip is by the key that it names. */
export function isSigned(tip: SignedTip): boolean {
  return verifies(tipText(tip), tip)
}

/** True if a signature over a text is by this key; a key that cannot be read verifies nothing. */
export function verifies(text: string, { publicKey, signature }: Pick<SignedTip, 'publicKey' | 'signature'>): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' })
    return (
      key.asymmetricKeyType === 'ed25519' && verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64url'))
    )
  } catch {
    return false
  }
}

/** The short name of a public key, for people to compare. */
export function keyFingerprint(publicKey: string): string {
  return `SHA256:${hash('sha256', Buffer.from(publicKey, 'base64'), 'base64').replace(/=+$/, '')}`
}

/** A tip that was read from elsewhere; undefined for anything else. */
export function tipFrom(value: unknown): SignedTip | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { number, hash, first, unsignedUpTo, at, publicKey, signature } = value as { readonly [name: string]: unknown }
  const counts = [number, first, unsignedUpTo, at]
  const texts = [hash, publicKey, signature]
  if (!counts.every(Number.isSafeInteger) || !texts.every((text) => typeof text === 'string')) return undefined
  return { number, hash, first, unsignedUpTo, at, publicKey, signature } as SignedTip
}
