import { randomUUID } from 'node:crypto'
import type { Principal } from '../act/act.ts'
import { ClientPrograms, type PinnedProgram } from '../gateway/principals/client-programs.ts'
import { EarlierClients } from '../gateway/principals/earlier-clients.ts'
import { ClientRefused, type Principals } from '../gateway/principals/principals.ts'
import type { ClientProgram } from '../gateway/processes/client-program.ts'
import type { Inbox } from '../inbox/inbox.ts'
import type { Store } from '../store/store.ts'
import { hashOf } from '../text/json-hash.ts'

/** Time that a client may wait to be accepted; it is asked about again when it connects. */
const openMs = 30 * 24 * 3_600_000

/** Dependencies of the acceptance of clients. */
export interface ClientAcceptanceParts {
  readonly store: Store
  readonly principals: Principals
  readonly inbox: Inbox
}

export interface ClientAcceptanceOptions {
  /** Refuses clients that would be a question. @default false */
  readonly unattended?: boolean
  /** True if a person wrote a client's entry with `trunkline install`. @default false */
  isInstalled?(client: string): Promise<boolean>
  /** Clients that `trunkline install` connected before clients were bound to programs. @default none */
  installedEarlier?(): Promise<readonly string[]>
  onError?(error: unknown, what: string): void
}

/** Program connected under the name of a client. */
export interface LaunchedClient {
  readonly name: string
  /** The program that started it; undefined where the system does not tell. */
  readonly program: ClientProgram | undefined
}

/** A client that was added before clients were bound to programs. */
export interface FoundClient {
  readonly name: string
  /** Programs that have connected under its name since. */
  readonly programs: readonly PinnedProgram[]
  readonly isApprover: boolean
  /** True if its token is its identity, so that no program is bound. */
  readonly hasUsedToken: boolean
}

/**
 * Identifies the client that `trunkline stdio` names. A name is no identity: it counts together with the program that
 * starts the client. A client that a person added is bound to the first program that comes under its name; any other
 * client, and any other program, is a question, and until it is answered nothing is done for it.
 */
export class ClientAcceptance {
  /** The programs that may start each client. */
  readonly programs: ClientPrograms
  /** Called when a client of an earlier version was bound to the first program that connected. */
  whenFoundBound: (() => void) | undefined
  readonly #earlier: EarlierClients
  readonly #parts: ClientAcceptanceParts
  readonly #options: ClientAcceptanceOptions
  /** Waiting clients, by the id they have until then; as many as are connected. */
  readonly #waiting = new Map<string, Principal>()

  constructor(parts: ClientAcceptanceParts, options: ClientAcceptanceOptions = {}) {
    this.#parts = parts
    this.#options = options
    this.programs = new ClientPrograms(parts.store)
    this.#earlier = new EarlierClients(parts.store, async () => (await options.installedEarlier?.()) ?? [])
  }

  /** The clients of an earlier version that no person has decided about since. */
  async found(): Promise<readonly FoundClient[]> {
    const { principals } = this.#parts
    const revoked = new Set(principals.revoked())
    const names = (await this.#earlier.unseen()).filter((name) => !revoked.has(name))
    return names.map((name) => {
      const known = principals.byName(name)
      return {
        name,
        programs: known ? this.programs.of(known.id) : [],
        isApprover: known?.isApprover ?? false,
        hasUsedToken: known !== undefined && principals.isUsedByToken(known.id),
      }
    })
  }

  /** A person looked at clients of an earlier version; those they refuse are asked about when they connect next. */
  async decideFound(names: readonly string[], by: 'person' | 'nobody'): Promise<void> {
    await this.#earlier.decide(names, by)
    if (by === 'person') return
    for (const name of names) {
      const known = this.#parts.principals.byName(name)
      if (known) await this.programs.forget(known.id)
    }
  }

  /** The principal of a connection; one that waits is forgotten when the connection closes. */
  async connect(client: LaunchedClient): Promise<Principal> {
    const { principals } = this.#parts
    principals.refuseRevoked(client.name)
    const known = principals.byName(client.name)
    if (known && this.#isPinned(known.id, client)) {
      principals.noteConnection(known.id)
      return known
    }
    if (await this.#isFirst(client, known?.id)) {
      const principal = await this.#accept(client)
      principals.noteConnection(principal.id)
      if ((await this.#earlier.unseen()).includes(client.name)) this.whenFoundBound?.()
      return principal
    }
    return this.#wait(client)
  }

  /** True if a principal may still be connected: it waits, or it is one of the person's clients. */
  isKnown(id: string): boolean {
    return this.byId(id) !== undefined
  }

  /** One of the person's clients, or one that waits. */
  byId(id: string): Principal | undefined {
    return this.#parts.principals.byId(id) ?? this.#waiting.get(id)
  }

  /** Forgets a connection that waited. */
  closed(id: string): void {
    this.#waiting.delete(id)
  }

  #isPinned(id: string, { program }: LaunchedClient): boolean {
    return this.programs.of(id).some(({ key }) => key === keyOf(program))
  }

  /** True if a person added it and it was never used: over HTTP its token is its identity, and no program is bound. */
  async #isFirst({ name }: LaunchedClient, id: string | undefined): Promise<boolean> {
    if (this.#earlier.isRefused(name)) return false
    if (id === undefined) return (await this.#options.isInstalled?.(name)) ?? false
    return this.programs.of(id).length === 0 && !this.#parts.principals.isUsedByToken(id)
  }

  async #accept({ name, program }: LaunchedClient): Promise<Principal> {
    const principal = await this.#parts.principals.named(name)
    await this.programs.add(principal.id, {
      key: keyOf(program),
      path: shownPath(program),
      ...(program?.folder !== undefined && { folder: program.folder }),
    })
    return principal
  }

  #wait(client: LaunchedClient): Principal {
    const { inbox } = this.#parts
    const { unattended: isUnattended = false } = this.#options
    const key = hashOf(['client', client.name, keyOf(client.program)])
    if (isUnattended || inbox.wasRefused(key)) throw new ClientRefused(refusalOf(client, isUnattended))
    const id = `waiting-${randomUUID()}`
    const waits = `The client "${client.name}", started by "${shownPath(client.program)}", was not accepted yet; accept it with "trunkline inbox"`
    const principal: Principal = { id, name: client.name, isApprover: false, waits }
    this.#waiting.set(id, principal)
    void this.#ask(client, key).catch((error) => this.#options.onError?.(error, `client "${client.name}"`))
    return principal
  }

  async #ask(client: LaunchedClient, key: string): Promise<void> {
    const { inbox, principals } = this.#parts
    const { name, program } = client
    const known = principals.byName(name)
    const { settled } = await inbox.ask({
      kind: 'client',
      key,
      server: 'trunkline',
      target: name,
      principal: name,
      principalId: `client ${name}`,
      project: undefined,
      why: this.#whyAsked(name, known !== undefined),
      detail: {
        program: shownPath(program),
        ...(program?.folder !== undefined && { folder: program.folder }),
        ...(known && {
          before: this.programs.of(known.id).map(({ path }) => path),
          isApprover: known.isApprover,
        }),
      },
      by: 'local',
      openMs,
    })
    const settlement = await settled
    if (settlement.state !== 'answered') return
    if (settlement.answer.choice !== 'refuse') await this.#accept(client)
    this.#letGo(client)
  }

  #whyAsked(name: string, isKnown: boolean): string {
    if (this.#earlier.isRefused(name)) return 'you refused what was found under this name'
    return isKnown ? 'another program than before comes under this name' : 'no client of this name was ever added'
  }

  /** Ends the connections of a waiting client, so that it connects again with its new standing. */
  #letGo({ name }: LaunchedClient): void {
    for (const [id, waiting] of this.#waiting) if (waiting.name === name) this.#waiting.delete(id)
    this.#parts.principals.tellEnded()
  }
}

function keyOf(program: ClientProgram | undefined): string {
  return program?.key ?? ''
}

function shownPath(program: ClientProgram | undefined): string {
  return program?.path ?? 'a program that cannot be seen'
}

function refusalOf({ name, program }: LaunchedClient, isUnattended: boolean): string {
  const what = `The client "${name}", started by "${shownPath(program)}",`
  const why = isUnattended ? 'was never accepted, and nobody can be asked here' : 'was refused'
  return `${what} ${why}; a person lets it in with "trunkline clients add ${name}"`
}
