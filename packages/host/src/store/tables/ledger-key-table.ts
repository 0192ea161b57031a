import { randomBytes } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { runInTransaction } from '@trunkline/base/migrations'
import type { Store } from '../store.ts'

/** Secrets of the host, and the public key that signs the ledger. */
export class LedgerKeyTable {
  readonly #database: DatabaseSync

  constructor({ database }: Store) {
    this.#database = database
  }

  /** A secret of 32 random bytes in base64url, which is made when there is none yet. */
  secret(name: 'digest' | 'sealing'): string {
    const known = this.#get(name)
    if (known !== undefined) return known
    const made = randomBytes(32).toString('base64url')
    this.#insert(name, made)
    return made
  }

  /** The public key that the store knows; undefined for a store that was never signed. */
  publicKey(): string | undefined {
    return this.#get('public')
  }

  /** The private key, which stores of the first version held themselves. */
  formerPrivateKey(): string | undefined {
    return this.#get('signing')
  }

  /** Has the store know a public key from now on, together with what else is written for it. */
  replacePublicKey(publicKey: string, also: () => void): void {
    runInTransaction(this.#database, () => {
      also()
      this.#database.exec("DELETE FROM ledger_key WHERE name IN ('signing', 'public')")
      this.#insert('public', publicKey)
    })
  }

  #get(name: string): string | undefined {
    const row = this.#database.prepare('SELECT value FROM ledger_key WHERE name = ?').get(name)
    return row && String(row.value)
  }

  #insert(name: string, value: string): void {
    this.#database.prepare('INSERT INTO ledger_key (name, value) VALUES (?, ?)').run(name, value)
  }
}
