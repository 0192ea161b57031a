import { createHash, randomBytes } from 'node:crypto'
import { randomId } from '@trunkline/base/random-id'
import type { Principal } from '../../act/act.ts'
import type { Store } from '../../store/store.ts'
import { EarlierClientTable } from '../../store/tables/earlier-client-table.ts'
import { type PrincipalRow, PrincipalTable } from '../../store/tables/principal-table.ts'

/** A principal with facts for a person. */
export interface KnownPrincipal extends Principal {
  readonly madeAt: number
  readonly usedAt: number | undefined
}

export interface NewPrincipal {
  readonly name: string
  /** True if a person sits in front of it, so that an answer given there counts. @default false */
  readonly isApprover?: boolean
}

/** A principal with the token that is shown once. */
export interface MadePrincipal {
  readonly principal: Principal
  readonly token: string
}

/** Programs that may call; more than a person has. */
const maxPrincipals = 1_000
/** Programs that are known to be revoked; beyond it the one that was revoked first is forgotten. */
const maxRevoked = 1_000
/** Precision of "last used"; a finer one would be a write for every call. */
const usedEveryMs = 60_000

/** The person's programs. The token is the identity: it is shown once and kept as a hash. */
export class Principals {
  readonly #store: Store
  readonly #table: PrincipalTable
  readonly #earlier: EarlierClientTable
  readonly #endedListeners = new Set<() => void>()
  /** Principals that are being made; callers that need one at the same time get the same. */
  readonly #making = new Map<string, Promise<Principal>>()

  constructor(store: Store) {
    this.#store = store
    this.#table = new PrincipalTable(store)
    this.#earlier = new EarlierClientTable(store)
  }

  /** Makes a principal and its token; one of the same name is replaced, and its connections end. */
  make(principal: NewPrincipal): Promise<MadePrincipal> {
    // a client that a person adds now is no longer one of an earlier version
    return this.#insert(principal, () => this.#earlier.remove(principal.name))
  }

  async #insert({ name, isApprover = false }: NewPrincipal, also = () => {}): Promise<MadePrincipal> {
    refuseName(name)
    if (this.all().length >= maxPrincipals)
      throw new Error(`Cannot add "${name}": there are ${maxPrincipals} clients already`)
    const id = randomId(12)
    const token = newToken()
    let isReplaced = false
    await this.#store.durable(() => {
      also()
      isReplaced = this.#table.removeNamed(name, revokedAs(name, '%'))
      this.#table.insert({ id, name, isApprover, madeAt: Date.now() }, hashOf(token))
    })
    if (isReplaced) this.tellEnded()
    return { principal: { id, name, isApprover }, token }
  }

  /** The principal of this name; a missing one is made, without a token. */
  async named(name: string): Promise<Principal> {
    const known = this.byName(name)
    if (known) return known
    const making = this.#making.get(name) ?? this.#make(name)
    this.#making.set(name, making)
    return making
  }

  async #make(name: string): Promise<Principal> {
    try {
      return (await this.#insert({ name })).principal
    } finally {
      this.#making.delete(name)
    }
  }

  byName(name: string): Principal | undefined {
    const row = this.#table.byName(name)
    return row && principalOf(row)
  }

  /** Refuses a client that no token tells apart and that a person revoked: only a person lets it in again. */
  refuseRevoked(name: string): void {
    refuseClientName(name)
    const isRevoked = this.#table.hasNameLike(revokedAs(name, '%'))
    if (isRevoked && !this.#table.byName(name)) throw new ClientRevoked(name)
  }

  /** True if a principal has ever shown its token. */
  isUsedByToken(id: string): boolean {
    return this.#table.byId(id)?.usedAt !== undefined
  }

  /** A new token for a program that is part of the host: it keeps its identity, and its token before ends. */
  async renew(name: string): Promise<string> {
    const { id } = await this.named(name)
    const token = newToken()
    await this.#store.durable(() => this.#table.setToken(id, hashOf(token)))
    this.tellEnded()
    return token
  }

  /** The principal of a token. */
  byToken(token: string): Principal | undefined {
    const row = this.#table.byToken(hashOf(token))
    if (!row) return undefined
    const now = Date.now()
    if (row.usedAt === undefined || now - row.usedAt > usedEveryMs) {
      void this.#store.batch(() => this.#table.setUsed(row.id, now))
    }
    return principalOf(row)
  }

  /** Notes that a program connected that no token tells apart. */
  noteConnection(id: string): void {
    void this.#store.batch(() => this.#table.setConnected(id, Date.now())).catch(() => {})
  }

  byId(id: string): Principal | undefined {
    const row = this.#table.byId(id)
    return row && principalOf(row)
  }

  all(): readonly KnownPrincipal[] {
    return this.#table.all().map((row) => ({
      ...principalOf(row),
      madeAt: row.madeAt,
      usedAt: Math.max(row.usedAt ?? 0, row.connectedAt ?? 0) || undefined,
    }))
  }

  /** The names of revoked principals that were not admitted again. */
  revoked(): readonly string[] {
    const names = new Set(this.#table.revokedNames().map((name) => name.split(' ')[0] ?? ''))
    return [...names].filter((name) => !this.#table.byName(name)).sort()
  }

  /** Calls back when a token was ended, until the returned function is called. */
  onEnded(listener: () => void): () => void {
    this.#endedListeners.add(listener)
    return () => this.#endedListeners.delete(listener)
  }

  /** Ends a token at once, and whatever is connected with it. */
  async revoke(name: string): Promise<boolean> {
    let isRevoked = false
    await this.#store.durable(() => {
      const now = Date.now()
      isRevoked = this.#table.revoke(name, revokedAs(name, now), now)
      this.#table.keepRevoked(maxRevoked)
    })
    if (isRevoked) this.tellEnded()
    return isRevoked
  }

  /** Has every connection looked at anew: those whose principal is not known any more are ended. */
  tellEnded(): void {
    for (const listener of this.#endedListeners) listener()
  }
}

/** A person ended the token of a client, and has not let it in again. */
export class ClientRevoked extends Error {
  override readonly name = 'ClientRevoked'

  constructor(client: string) {
    super(`The client "${client}" was revoked; a person lets it in again with "trunkline clients add ${client}"`)
  }
}

/** The program that starts a client was not accepted, and waits for no answer. */
export class ClientRefused extends Error {
  override readonly name = 'ClientRefused'
}

/** Programs that are part of the host: no client may pass for one of them. */
const ownPrograms: readonly string[] = ['app', 'chat', 'command', 'console']

/** True if a name is that of a part of the host. */
export function isOwnProgram(name: string): boolean {
  return ownPrograms.includes(name)
}

/** Refuses the name of a client that is not part of the host. */
export function refuseClientName(name: string): void {
  refuseName(name)
  if (!isOwnProgram(name)) return
  throw new Error(`Cannot name a client "${name}": a part of the host has this name; choose another one`)
}

function refuseName(name: string): void {
  if (/^[a-z0-9][a-z0-9-]{0,39}$/.test(name)) return
  throw new Error(`Cannot name a client "${name}": use a-z, 0-9 and "-", at most 40 characters`)
}

/** Name of a revoked principal, so that its old name is free; no other name has a space. */
function revokedAs(name: string, at: number | '%'): string {
  return `${name} (revoked ${at})`
}

function principalOf({ id, name, isApprover }: PrincipalRow): Principal {
  return { id, name, isApprover }
}

function newToken(): string {
  return `tl_${randomBytes(32).toString('base64url')}`
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
