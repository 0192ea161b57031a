import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  verify,
} from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { type KeyedDigest, keyedDigest } from './keyed-digest.ts'

/** What the ledger signs and recognises with; made once per store. */
export interface LedgerKeys {
  /** Digests under the key of this store. */
  readonly digest: KeyedDigest
  /** Signs a checkpoint. */
  sign(text: string): string
  verify(text: string, signature: string): boolean
  /** For whoever checks an export elsewhere. */
  readonly publicKey: string
}

/** The keys of a store, made when it has none yet. */
export function ledgerKeys(database: DatabaseSync): LedgerKeys {
  const kept = (name: string, make: () => string): string => {
    const row = database.prepare('SELECT value FROM ledger_key WHERE name = ?').get(name)
    if (row) return String(row.value)
    const value = make()
    database.prepare('INSERT INTO ledger_key (name, value) VALUES (?, ?)').run(name, value)
    return value
  }
  const digestKey = kept('digest', () => randomBytes(32).toString('base64url'))
  const secret = createPrivateKey(kept('signing', newSigningKey))
  return { digest: keyedDigest(digestKey), ...signer(secret) }
}

function signer(secret: KeyObject): Omit<LedgerKeys, 'digest'> {
  const open = createPublicKey(secret)
  return {
    sign: (text) => sign(null, Buffer.from(text), secret).toString('base64url'),
    verify: (text, signature) => verify(null, Buffer.from(text), open, Buffer.from(signature, 'base64url')),
    publicKey: open.export({ type: 'spki', format: 'pem' }).toString(),
  }
}

function newSigningKey(): string {
  const { privateKey } = generateKeyPairSync('ed25519')
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}
