import { type ServerKey, serverNameOf } from '../act/server-key.ts'
import type { Inbox } from '../inbox/inbox.ts'
import type { Question } from '../inbox/question.ts'
import type { BoundPrograms } from '../servers/programs/bound-programs.ts'
import { fingerprintHash, fingerprintLines } from '../servers/programs/fingerprint.ts'
import { hashOf } from '../text/json-hash.ts'
import type { ClientAcceptance, FoundClient } from './client-acceptance.ts'

/** Time in which the list can be answered; its servers and clients are used meanwhile. */
const openMs = 30 * 24 * 3_600_000

/** Dependencies of the list. */
export interface FoundAtUpgradeParts {
  readonly inbox: Inbox
  readonly bound: BoundPrograms
  readonly clients: ClientAcceptance
  onError?(error: unknown, what: string): void
}

/**
 * Shows a person once, in one question, the files of servers that were accepted before files were bound, and the clients
 * that were added before clients were bound to programs.
 */
export class FoundAtUpgrade {
  readonly #parts: FoundAtUpgradeParts
  /** One list after the other, so that only the newest stays open. */
  #asking: Promise<void> = Promise.resolve()

  constructor(parts: FoundAtUpgradeParts) {
    this.#parts = parts
    parts.inbox.whenAnswered('programs', (question) => this.#answered(question))
  }

  /** Asks about all of them together, and again when a client that is listed connects for the first time. */
  async ask(): Promise<void> {
    this.#parts.clients.whenFoundBound = () =>
      void this.#askNext().catch((error) => this.#parts.onError?.(error, 'clients of an earlier version'))
    await this.#askNext()
  }

  #askNext(): Promise<void> {
    const next = this.#asking.then(() => this.#ask())
    this.#asking = next.catch(() => {})
    return next
  }

  /** A list that is out of date is withdrawn. */
  async #ask(): Promise<void> {
    const { inbox, bound, clients } = this.#parts
    const [servers, found] = [bound.unseen, await clients.found()]
    const key = hashOf([
      'programs',
      servers.map(({ server, binding }) => [server, fingerprintHash(binding.fingerprint)]),
      ...(found.length > 0 ? [found] : []),
    ])
    const open = inbox.open.filter(({ kind }) => kind === 'programs')
    for (const one of open) if (one.key !== key) await inbox.withdraw(one.id, 'the list is another one by now')
    if (servers.length + found.length === 0) return
    await inbox.ask({
      kind: 'programs',
      key,
      server: 'trunkline',
      target: [...servers.map(({ server }) => serverNameOf(server)), ...found.map(({ name }) => name)].join(', '),
      principal: 'configuration',
      principalId: 'configuration',
      project: undefined,
      why: 'they were accepted by a version that did not bind them to programs, and go on with what was found',
      detail: {
        servers: servers.map(({ server }) => server),
        clients: found.map(({ name }) => name),
        changes: [
          ...servers.flatMap(({ server, binding }) =>
            fingerprintLines(binding.fingerprint).map((line) => `+ ${serverNameOf(server)}: ${line}`),
          ),
          ...found.flatMap((client) => clientLines(client).map((line) => `+ client ${client.name}: ${line}`)),
        ],
      },
      by: 'local',
      openMs,
    })
  }

  /** A refused server asks before its next start, a refused client when it connects next. */
  async #answered({ id, detail }: Question): Promise<void> {
    const { inbox, bound, clients } = this.#parts
    const settlement = inbox.settlementOf(id)
    if (settlement?.state !== 'answered') return
    const by = settlement.answer.choice === 'refuse' ? 'nobody' : 'person'
    if (Array.isArray(detail.servers)) await bound.decide(detail.servers as readonly ServerKey[], by)
    if (Array.isArray(detail.clients)) await clients.decideFound(detail.clients.map(String), by)
  }
}

/** Facts about a client, one line each. */
function clientLines({ programs, isApprover, hasUsedToken }: FoundClient): readonly string[] {
  const started = programs.map(({ path, folder }) => `started by ${path}${folder === undefined ? '' : ` in ${folder}`}`)
  const identity = hasUsedToken
    ? ['known by its token']
    : started.length > 0
      ? started
      : ['not connected yet; bound to the program that connects first']
  return [...identity, ...(isApprover ? ['its answers count as yours'] : [])]
}
