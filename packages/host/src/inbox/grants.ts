import { randomBytes } from 'node:crypto'
import type { ServerName } from '../act/server-name.ts'
import type { Store } from '../store/store.ts'
import { type GrantRow, type GrantScopeRow, GrantTable, type HeldGrant } from '../store/tables/grant-table.ts'

/** The scope of one permission: a tool of one definition, to one principal in one project. */
export interface GrantScope {
  readonly principalId: string
  readonly project: string | undefined
  readonly server: ServerName
  readonly target: string
  readonly definition: string | undefined
}

/**
 * Distance of a permission from the question the person saw: the tool and the client themselves, the same tool for
 * another client, or another tool.
 */
export const breadths = { asked: 0, client: 1, tool: 2 } as const
export type Breadth = (typeof breadths)[keyof typeof breadths]

/** One of the permissions of a grant. */
export interface GrantedScope extends GrantScope {
  /** @default the tool and the client that were asked about */
  readonly breadth?: Breadth
}

export interface GrantOptions {
  /** Validity, in milliseconds. @default 8 hours */
  readonly holdsMs?: number
  /** True if every use renews it, as for callers without sessions. @default false */
  readonly sliding?: boolean
  /** True if it was given at this machine, not through a caller. @default false */
  readonly isLocal?: boolean
  /** @default 'session' */
  readonly choice?: StoredGrant['choice']
  /** The question that a person answered with it. @default none */
  readonly question?: string | undefined
  /** Hash of the server's program; the grant ends when it changes. @default it does not depend on it */
  readonly command?: string
}

/** Narrows which grants count. */
export interface GrantFilter {
  /** Leaves out grants by answers of a caller. @default false */
  readonly localOnly?: boolean
  /** @default any */
  readonly maxBreadth?: Breadth
  /** Hash of the server's program now; only called if a grant depends on it. @default it is unknown */
  command?(): string
}

/** A grant as it is listed: everything that one answer permits. */
export interface StoredGrant {
  readonly id: string
  readonly choice: 'session' | 'project' | 'trust'
  readonly question: string | undefined
  readonly server: ServerName
  /** Undefined where it holds in no project; `*` in all of them. */
  readonly project: string | undefined
  /** By name, or `*` for every tool. */
  readonly tools: readonly string[]
  readonly principalIds: readonly string[]
  readonly grantedAt: number
  readonly until: number
}

const defaults = { holdsMs: 8 * 3_600_000, sliding: false, isLocal: false, choice: 'session' } as const
/** Permissions that are kept, of all answers; beyond it the oldest end, and are asked about again. */
export const maxGrantedScopes = 20_000
const dayMs = 24 * 3_600_000

/** Answers that hold for a while. They end by time or by a person, never by reconnecting. */
export class Grants {
  readonly #store: Store
  readonly #table: GrantTable
  readonly #listeners = new Set<() => void>()

  constructor(store: Store) {
    this.#store = store
    this.#table = new GrantTable(store)
  }

  /** Calls back when something more is permitted, until the returned function is called. */
  onGranted(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Permits something for a while: one thing, or everything that one answer covers. */
  async grant(scopes: GrantedScope | readonly GrantedScope[], options: GrantOptions = {}): Promise<void> {
    const { holdsMs, sliding, isLocal, choice } = { ...defaults, ...options }
    const { question, command = '*' } = options
    const now = Date.now()
    const answer = randomBytes(6).toString('hex')
    const held = { grantedAt: now, until: now + holdsMs, slidingMs: sliding ? holdsMs : undefined, isLocal }
    await this.#store.durable(() => {
      this.#table.removeExpired(now)
      for (const scope of [scopes].flat()) {
        const { breadth = breadths.asked } = scope
        this.#table.insert({ ...rowOf(scope), ...held, answer, question, choice, command, breadth })
      }
      this.#table.keepNewest(maxGrantedScopes)
    })
    for (const listener of this.#listeners) listener()
  }

  /** True when something is permitted at the moment. */
  permits(scope: GrantScope, filter: GrantFilter = {}): boolean {
    return this.find(scope, filter) !== undefined
  }

  /** The grant that permits something at the moment, with the question that a person answered with it. */
  find(scope: GrantScope, filter: GrantFilter = {}): { readonly question: string | undefined } | undefined {
    const { localOnly = false, maxBreadth = breadths.tool, command } = filter
    const now = Date.now()
    const held = this.#table.find(rowOf(scope), { now, localOnly, maxBreadth })
    const found = held.find((one) => one.command === '*' || one.command === command?.())
    if (!found) return undefined
    this.#extend(found, now)
    return { question: found.question }
  }

  /** Grants that hold at the moment, one for each answer, newest first. */
  all(): readonly StoredGrant[] {
    const rows = this.#table.all(Date.now())
    const answers = new Map<string, GrantRow[]>()
    for (const row of rows) {
      const key = row.answer === '' ? String(row.id) : row.answer
      const same = answers.get(key)
      if (same) same.push(row)
      else answers.set(key, [row])
    }
    return [...answers].map(([id, of]) => storedGrant(id, of)).reverse()
  }

  /** Revokes the grants of one answer, of a principal, of a server, or all; returns their number. */
  async revoke(
    which: { readonly id?: string; readonly principalId?: string; readonly server?: ServerName } = {},
  ): Promise<number> {
    const { id: answer, principalId: principal, server } = which
    let removed = 0
    await this.#store.durable(() => {
      removed = this.#table.remove({ answer, principal, server })
    })
    return removed
  }

  /** Renews a sliding grant on use; one for days is written once a day, not with every call. */
  #extend(held: HeldGrant, now: number): void {
    if (held.slidingMs === undefined) return
    const next = now + held.slidingMs
    if (held.slidingMs <= dayMs || next - held.until >= dayMs) this.#table.extend(held, next)
  }
}

function rowOf({ principalId, project = '', server, target, definition = '' }: GrantScope): GrantScopeRow {
  return { principal: principalId, project, server, target, definition }
}

/** The permissions of one answer, of which there is at least one. */
function storedGrant(id: string, rows: readonly GrantRow[]): StoredGrant {
  const [{ choice, question, server, project, target, grantedAt }] = rows as [GrantRow]
  return {
    id,
    choice: target === '*' ? 'trust' : (choice as StoredGrant['choice']),
    question,
    server,
    project: project === '' ? undefined : project,
    tools: [...new Set(rows.map((row) => row.target))],
    principalIds: [...new Set(rows.map(({ principal }) => principal))],
    grantedAt,
    until: Math.max(...rows.map(({ until }) => until)),
  }
}
