import { hash, randomBytes } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'

const blockBytes = 64

/** A digest that recognises equal values for the owner of the key, and reveals nothing without it. */
export type KeyedDigest = (text: string) => string

/**
 * HMAC-SHA-256 under one key, which is ASCII and not longer than a block. Two whole hashes cost a third of an `Hmac`
 * object, and each act needs two digests.
 */
export function keyedDigest(key: string): KeyedDigest {
  const inner = masked(key, 0x36).toString('latin1')
  const outer = Buffer.concat([masked(key, 0x5c), Buffer.alloc(32)])
  return (text) => {
    outer.write(hash('sha256', inner + text, 'binary'), blockBytes, 'binary')
    return hash('sha256', outer, 'base64url')
  }
}

/** Digests under the key of a store, which is made when it has none yet. */
export function storeDigest(database: DatabaseSync): KeyedDigest {
  const row = database.prepare("SELECT value FROM ledger_key WHERE name = 'digest'").get()
  if (row) return keyedDigest(String(row.value))
  const key = randomBytes(32).toString('base64url')
  database.prepare("INSERT INTO ledger_key (name, value) VALUES ('digest', ?)").run(key)
  return keyedDigest(key)
}

function masked(key: string, mask: number): Buffer {
  const block = Buffer.alloc(blockBytes)
  block.write(key, 'latin1')
  return block.map((byte) => byte ^ mask) as Buffer
}
