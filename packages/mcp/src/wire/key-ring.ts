import { McpError } from './errors.ts'

/** A secret that keys are derived from. */
export type Secret = string | Uint8Array

interface NamedKey {
  readonly id: Uint8Array
  readonly key: CryptoKey
}

/** The keys of one sealer, derived on first use. */
export interface KeyRing {
  /** The key that seals. */
  first(): Promise<NamedKey>
  /** The key with this id, if there is one. */
  named(id: Uint8Array): Promise<CryptoKey | undefined>
  /** The ids of the given keys, the one that seals first; empty if the key is random. */
  ids(): Promise<readonly Uint8Array[]>
}

/** The length of a key id. */
export const keyIdBytes = 8

const minSecretLength = 32

/** Derives keys from the secrets, or from a random one that is made on first use. */
export function keyRing(given: readonly Secret[] | undefined, onRandomKey?: () => void): KeyRing {
  if (given?.length === 0) throw new McpError('Misuse', 'Cannot seal without a key: "keys" is empty')
  let secrets = given?.map(bytesOf)
  let keys: Promise<readonly NamedKey[]> | undefined

  function derived(): Promise<readonly NamedKey[]> {
    keys ??= Promise.all((secrets ?? []).map(derive))
    return keys
  }

  return {
    async first() {
      if (!secrets) {
        secrets = [globalThis.crypto.getRandomValues(new Uint8Array(minSecretLength))]
        onRandomKey?.()
      }
      const [key] = await derived()
      return key as NamedKey
    },
    async named(id) {
      if (!secrets) return undefined
      const found = (await derived()).find((candidate) => candidate.id.every((byte, at) => byte === id[at]))
      return found?.key
    },
    async ids() {
      return given ? (await derived()).map(({ id }) => id) : []
    },
  }
}

function bytesOf(secret: Secret): Uint8Array<ArrayBuffer> {
  if (secret.length >= minSecretLength)
    return typeof secret === 'string' ? new TextEncoder().encode(secret) : new Uint8Array(secret)
  const size = `${secret.length} ${typeof secret === 'string' ? 'characters' : 'bytes'}`
  const fix = `use at least ${minSecretLength}, for example from "openssl rand -base64 32"`
  throw new McpError('Misuse', `Cannot seal with a key of ${size}: ${fix}`)
}

/** Derives the key and its id separately, so that the id reveals nothing. */
async function derive(secret: Uint8Array<ArrayBuffer>): Promise<NamedKey> {
  const { subtle } = globalThis.crypto
  const base = await subtle.importKey('raw', secret, 'HKDF', false, ['deriveKey', 'deriveBits'])
  const [key, id] = await Promise.all([
    subtle.deriveKey(hkdf('key'), base, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']),
    subtle.deriveBits(hkdf('name'), base, keyIdBytes * 8),
  ])
  return { id: new Uint8Array(id), key }
}

function hkdf(purpose: string): HkdfParams {
  const info = new TextEncoder().encode(`trunkline sealed text v1: ${purpose}`)
  return { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(0), info }
}
