import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { canonicalJson } from '@trunkline/mcp'
import type { Store } from '../../store/store.ts'
import { EnrolmentTable } from '../../store/tables/proof-tables.ts'
import { writeFileWhole } from '../../store/write-file.ts'
import type { Passkey } from './passkey.ts'
import type { PinHash } from './pin-hash.ts'
import type { ProofScope } from './proof-need.ts'

/** The enrolled PIN and passkeys of a person, and the decisions they chose them for. */
export interface Enrolled {
  readonly pin?: PinHash
  readonly passkeys: readonly Passkey[]
  readonly scopes: readonly ProofScope[]
}

/** State of the enrolment, as far as the store and the file beside it agree. */
export type EnrolmentState =
  | { readonly state: 'none' }
  | { readonly state: 'enrolled'; readonly enrolled: Enrolled }
  | { readonly state: 'damaged'; readonly why: string; readonly scopes: readonly ProofScope[] }

/** The file that shows that something is enrolled, even if the store has lost it. */
interface Mark {
  /** Of the record in the store; two of them while it is being changed. */
  readonly digests: readonly string[]
  readonly scopes: readonly ProofScope[]
}

/** In place of the digest of a record that is being removed. */
const removed = 'none'

/**
 * Keeps the enrolment in the store, and a digest of it in a file, so that a record that was deleted or replaced in one of
 * them is noticed and not taken for none.
 */
export class Enrolment {
  readonly #store: Store
  readonly #table: EnrolmentTable
  readonly #file: string

  constructor(store: Store, file: string) {
    this.#store = store
    this.#table = new EnrolmentTable(store)
    this.#file = file
  }

  get current(): EnrolmentState {
    const record = this.#table.record()
    const mark = this.#mark()
    if (record === undefined && mark === undefined) return { state: 'none' }
    if (mark === 'broken') return damaged(`"${this.#file}" cannot be read`, enrolledIn(record)?.scopes)
    if (record === undefined) {
      const isRemoved = mark?.digests.includes(removed)
      return isRemoved ? { state: 'none' } : damaged('it is missing from the store', mark?.scopes)
    }
    const enrolled = enrolledIn(record)
    if (mark === undefined) return damaged(`"${this.#file}" is missing`, enrolled?.scopes)
    const scopes = [...new Set([...mark.scopes, ...(enrolled?.scopes ?? [])])]
    if (!enrolled || !mark.digests.includes(digestOf(record))) {
      return damaged(`what the store holds is not what "${this.#file}" tells of`, scopes)
    }
    return { state: 'enrolled', enrolled }
  }

  /** Replaces the enrolment; undefined removes it. A crash in between leaves the earlier or the new one. */
  async replace(enrolled: Enrolled | undefined): Promise<void> {
    const before = this.#table.record()
    const after = enrolled && canonicalJson(enrolled)
    const known = before === undefined ? [] : [digestOf(before)]
    const next = after === undefined ? removed : digestOf(after)
    await this.#note([...known, next], enrolled?.scopes ?? [])
    await this.#store.durable(() => {
      if (after === undefined) this.#table.clear()
      else this.#table.put(after)
    })
    if (after === undefined) await rm(this.#file, { force: true })
    else await this.#note([next], enrolled?.scopes ?? [])
  }

  /** Takes the counter that a passkey reports; false when it did not grow, as when the passkey was copied. */
  async count(passkey: string, counter: number): Promise<boolean> {
    const before = this.#table.counterOf(passkey)
    // passkeys without a counter report 0 each time
    if (counter <= before && (counter > 0 || before > 0)) return false
    await this.#store.durable(() => this.#table.setCounter(passkey, counter))
    return true
  }

  #note(digests: readonly string[], scopes: readonly ProofScope[]): Promise<void> {
    return writeFileWhole(this.#file, `${JSON.stringify({ digests, scopes } satisfies Mark)}\n`)
  }

  #mark(): Mark | 'broken' | undefined {
    try {
      const mark = JSON.parse(readFileSync(this.#file, 'utf8')) as Mark
      return Array.isArray(mark.digests) && Array.isArray(mark.scopes) ? mark : 'broken'
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : 'broken'
    }
  }
}

/** An unknown choice of scopes counts as a choice of everything. */
function damaged(why: string, scopes: readonly ProofScope[] = ['everything']): EnrolmentState {
  return { state: 'damaged', why, scopes }
}

function enrolledIn(record: string | undefined): Enrolled | undefined {
  try {
    return record === undefined ? undefined : (JSON.parse(record) as Enrolled)
  } catch {
    return undefined
  }
}

function digestOf(record: string): string {
  return createHash('sha256').update(record).digest('base64url')
}
