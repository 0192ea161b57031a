import { fromBase64url, toBase64url } from './base64url.ts'
import { canonicalJson } from './canonical-json.ts'
import { McpError } from './errors.ts'
import { keyIdBytes, keyRing } from './key-ring.ts'

/** Encrypts small JSON values that clients send back, so that they cannot read, change or reuse them. */
export interface Sealer {
  /** Seals a JSON value until `expiresAt` (as in `Date.now()`), to be opened with the same binding only. */
  seal(value: unknown, binding: string, expiresAt: number): Promise<string>
  /** The value that was sealed; rejects with a {@link SealError} otherwise. */
  open(text: string, binding: string): Promise<unknown>
  /** Ids of the given keys, the one that seals first; empty if the key is random. They reveal nothing of the keys. */
  keyIds(): Promise<readonly string[]>
}

/** The keys, the clock and the bounds of a {@link Sealer}. */
export interface SealerOptions {
  /**
   * Secrets of at least 32 characters or bytes: the first seals, all open.
   * @default one random key, made on the first seal
   */
  readonly keys?: readonly (string | Uint8Array)[]
  /** @default Date.now */
  readonly now?: () => number
  /** Called once when a random key is used, which other processes and restarts do not know. */
  readonly onRandomKey?: () => void
  /** The longest sealed text to make or to open. @default 65536 */
  readonly maxBytes?: number
}

const defaults = { maxBytes: 65_536 } as const satisfies SealerOptions

/** Not sealed text, not sealed by these keys for this binding, expired, or over the limit. */
export type SealProblem = 'malformed' | 'tampered' | 'expired' | 'too-large'

/** Reason why a text cannot be sealed or opened; a peer may learn no more than this. */
export class SealError extends Error {
  override readonly name = 'SealError'
  readonly reason: SealProblem

  constructor(reason: SealProblem) {
    super(`Cannot use sealed text: ${reason}`)
    this.reason = reason
  }
}

/** Makes a {@link Sealer}; every process with the same `keys` opens what any of them sealed. */
export function sealer({
  keys,
  now = Date.now,
  onRandomKey,
  maxBytes = defaults.maxBytes,
}: SealerOptions = {}): Sealer {
  const ring = keyRing(keys, onRandomKey)
  return {
    async seal(value, binding, expiresAt) {
      const plain = plainBytes(value, expiresAt)
      if (lengthOfText(plain.length) > maxBytes) throw new SealError('too-large')
      const { id, key } = await ring.first()
      const header = headerOf(id, expiresAt)
      const nonce = globalThis.crypto.getRandomValues(new Uint8Array(nonceBytes))
      const cipher = await globalThis.crypto.subtle.encrypt(algorithm({ header, nonce, binding }), key, plain)
      return prefix + toBase64url(joined(header, nonce, new Uint8Array(cipher)))
    },

    async open(text, binding) {
      if (text.length > maxBytes) throw new SealError('too-large')
      const { header, nonce, cipher } = unpack(text)
      const key = await ring.named(header.subarray(0, keyIdBytes))
      if (!key) throw new SealError('tampered')
      const plain = await decrypt(cipher, key, algorithm({ header, nonce, binding }))
      // only now is the expiry authenticated
      if (now() >= new DataView(header.buffer).getFloat64(keyIdBytes)) throw new SealError('expired')
      return JSON.parse(new TextDecoder().decode(plain))
    },

    async keyIds() {
      return (await ring.ids()).map(toBase64url)
    },
  }
}

/** SHA-256 of the canonical JSON of a value, as base64url; used in bindings. */
export async function digest(value: unknown): Promise<string> {
  const hash = await globalThis.crypto.subtle.digest('SHA-256', new TextEncoder().encode(canonicalJson(value)))
  return toBase64url(new Uint8Array(hash))
}

// the text is the prefix and then, as base64url: key id, expiry as a double, nonce, cipher with its tag
const prefix = 'v1.'
const headerBytes = keyIdBytes + 8
const nonceBytes = 12
const tagBytes = 16

interface Parts {
  readonly header: Uint8Array<ArrayBuffer>
  readonly nonce: Uint8Array<ArrayBuffer>
  readonly cipher: Uint8Array<ArrayBuffer>
}

function unpack(text: string): Parts {
  const bytes = text.startsWith(prefix) ? fromBase64url(text.slice(prefix.length)) : undefined
  if (!bytes || bytes.length < headerBytes + nonceBytes + tagBytes) throw new SealError('malformed')
  const header = bytes.slice(0, headerBytes)
  const nonce = bytes.slice(headerBytes, headerBytes + nonceBytes)
  return { header, nonce, cipher: bytes.slice(headerBytes + nonceBytes) }
}

function plainBytes(value: unknown, expiresAt: number): Uint8Array<ArrayBuffer> {
  const json: string | undefined = JSON.stringify(value)
  if (json === undefined) throw new McpError('Misuse', `Cannot seal ${typeof value}: it has no JSON form`)
  if (Number.isNaN(expiresAt)) throw new McpError('Misuse', 'Cannot seal value: "expiresAt" is NaN')
  return new TextEncoder().encode(json)
}

function lengthOfText(plainLength: number): number {
  return prefix.length + Math.ceil(((headerBytes + nonceBytes + plainLength + tagBytes) * 4) / 3)
}

function headerOf(id: Uint8Array, expiresAt: number): Uint8Array<ArrayBuffer> {
  const header = new Uint8Array(headerBytes)
  header.set(id)
  new DataView(header.buffer).setFloat64(keyIdBytes, expiresAt)
  return header
}

function algorithm({ header, nonce, binding }: Omit<Parts, 'cipher'> & { readonly binding: string }): AesGcmParams {
  // as JSON, because UTF-8 maps all lone surrogates to one character
  const bound = new TextEncoder().encode(prefix + JSON.stringify(binding))
  return { name: 'AES-GCM', iv: nonce, additionalData: joined(header, bound) }
}

async function decrypt(cipher: BufferSource, key: CryptoKey, how: AesGcmParams): Promise<ArrayBuffer> {
  try {
    return await globalThis.crypto.subtle.decrypt(how, key, cipher)
  } catch {
    throw new SealError('tampered')
  }
}

function joined(...chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0))
  let start = 0
  for (const chunk of chunks) {
    bytes.set(chunk, start)
    start += chunk.length
  }
  return bytes
}
