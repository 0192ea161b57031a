import type { Catalogue, ReviewedEntry } from './catalogue/catalogue.ts'
import type { Inbox } from './inbox/inbox.ts'
import type { Ledger } from './ledger/ledger.ts'
import type { Programs } from './programs/programs.ts'
import { commandHash, type Launch } from './servers/launch.ts'
import { type ServerKey, serverNameOf } from './servers/server-key.ts'
import type { ServerSpec } from './servers/server-spec.ts'
import { askToStart, notAccepted, serverQuestionKey, withdrawStartQuestions } from './trust/server-question.ts'

/** What the acceptance of servers works with. */
export interface AcceptanceParts {
  readonly inbox: Inbox
  readonly catalogue: Catalogue
  readonly ledger: Ledger
  readonly programs: Programs
  /** A server as it is configured now, by its key. */
  spec(key: ServerKey): ServerSpec | undefined
  /** Runs servers as they were accepted by now. */
  apply(): Promise<void>
  /** Asks a server what it offers. */
  learn(key: ServerKey): Promise<void>
  onError?(error: unknown, what: string): void
}

/** Which servers a person accepted, each with its exact command and at its exact version. */
export class ServerAcceptance {
  readonly #parts: AcceptanceParts
  /** Servers that a person accepted a moment ago; one answer may be heard more than once. */
  readonly #accepting = new Set<ServerKey>()

  constructor(parts: AcceptanceParts) {
    this.#parts = parts
  }

  /** Whether a person accepted a server with exactly the command that is configured now. */
  has(key: ServerKey): boolean {
    const launch = this.#parts.spec(key)?.launch
    if (launch === undefined || launch.kind === 'unresolved') return false
    return this.#parts.catalogue.isAccepted(key, commandHash(launch))
  }

  /** A server as it may be started; one that was not accepted says so when somebody wants to use it. */
  startable(spec: ServerSpec): ServerSpec {
    const { launch } = spec
    if (launch.kind === 'unresolved') return spec
    if (this.has(spec.name)) return { ...spec, launch: this.#parts.programs.launchOf(spec.name, launch) }
    return { ...spec, launch: notAccepted(spec, launch) }
  }

  /** Asks a person about the servers that were not accepted, and no longer about those that are gone. */
  async ask(specs: readonly ServerSpec[]): Promise<void> {
    const { inbox, onError } = this.#parts
    await withdrawStartQuestions(inbox, specs)
    for (const spec of specs) {
      if (spec.launch.kind === 'unresolved' || this.has(spec.name)) continue
      void this.#ask(spec, spec.launch).catch((error) => onError?.(error, `server "${spec.name}"`))
    }
  }

  /** Accepts a server as it is configured now: starts it, and pins what it offers. Returns what the scanner stopped. */
  async accept(key: ServerKey): Promise<readonly ReviewedEntry[]> {
    const { inbox, catalogue, ledger, spec, apply, learn } = this.#parts
    const launch = spec(key)?.launch ?? { kind: 'unresolved', needs: 'no such server is configured' }
    const server = serverNameOf(key)
    if (launch.kind === 'unresolved') throw new Error(`Cannot accept server "${server}": ${launch.needs}`)
    await this.#install(key, launch)
    await catalogue.acceptCommand(key, commandHash(launch))
    await ledger.decide({ kind: 'accepted', server, definition: commandHash(launch), by: 'person' })
    await inbox.withdrawKey(serverQuestionKey(key, launch), 'the server was accepted')
    await apply()
    await learn(key)
    return catalogue.review(key).filter(({ standing }) => standing !== 'usable')
  }

  async #ask(spec: ServerSpec, launch: Launch): Promise<void> {
    const { name: key } = spec
    const isAllowed = await askToStart(this.#parts.inbox, { spec, launch })
    // meanwhile it may have been configured differently
    const now = this.#parts.spec(key)?.launch
    const isSame = now !== undefined && now.kind !== 'unresolved' && commandHash(now) === commandHash(launch)
    if (!isAllowed || !isSame || this.has(key) || this.#accepting.has(key)) return
    this.#accepting.add(key)
    await this.accept(key).finally(() => this.#accepting.delete(key))
  }

  /** What a command would fetch at every start is fetched once, at the version that is accepted with it. */
  async #install(key: ServerKey, launch: Launch): Promise<void> {
    const { programs } = this.#parts
    const stored = programs.of(key)
    if (stored?.command === commandHash(launch) && programs.launchOf(key, launch).kind !== 'unresolved') return
    const installed = await programs.install(launch)
    if (installed) await programs.accept(key, installed.program)
  }
}
