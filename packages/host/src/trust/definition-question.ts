import type { Fields } from '@trunkline/mcp'
import { type ServerKey, serverKey, serverNameOf } from '../act/server-key.ts'
import type { Catalogue, ReviewedEntry } from '../catalogue/catalogue.ts'
import { definitionDiff } from '../catalogue/definition-diff.ts'
import type { Inbox } from '../inbox/inbox.ts'
import type { Question } from '../inbox/question.ts'
import { hashOf } from '../text/json-hash.ts'

/** Time that a changed definition may wait; the accepted one stays in use meanwhile. */
const openMs = 30 * 24 * 3_600_000

/** Asks about the unaccepted definitions of a server: one question for all of them, and one at a time. */
export class DefinitionQuestions {
  readonly #inbox: Inbox
  readonly #catalogue: Catalogue

  constructor(inbox: Inbox, catalogue: Catalogue) {
    this.#inbox = inbox
    this.#catalogue = catalogue
    inbox.whenAnswered('definition', (question) => this.#answered(question))
  }

  /** Asks about new and changed definitions; an outdated question is withdrawn. */
  async review(server: ServerKey): Promise<void> {
    const waiting = this.#waiting(server)
    const key = keyOf(server, waiting)
    const open = this.#inbox.open.filter(
      ({ kind, principalId }) => kind === 'definition' && principalId === idOf(server),
    )
    for (const { id, key: asked } of open) {
      if (asked !== key) await this.#inbox.withdraw(id, 'the server offers something else by now')
    }
    if (waiting.length === 0 || open.some((one) => one.key === key) || this.#inbox.wasRefused(key)) return
    await this.#inbox.ask({ ...questionOf(server, waiting), key, by: 'local', openMs })
  }

  async #answered({ id, key, principalId }: Question): Promise<void> {
    const settlement = this.#inbox.settlementOf(id)
    if (settlement?.state !== 'answered' || settlement.answer.choice === 'refuse') return
    const server = principalId.slice(idOf('').length) as ServerKey
    const waiting = this.#waiting(server)
    // the person has not seen definitions that came while they were answering
    if (keyOf(server, waiting) === key) await this.#catalogue.accept(server, waiting)
    else await this.review(server)
  }

  #waiting(server: ServerKey): readonly ReviewedEntry[] {
    return this.#catalogue.review(server).filter(isUndecided)
  }
}

/** Withdraws questions about definitions of servers that are none of these; a project that is closed may be opened again. */
export async function withdrawDefinitionQuestions(inbox: Inbox, servers: ReadonlySet<ServerKey>): Promise<void> {
  const known = new Set([...servers].map(idOf))
  const isGone = ({ kind, principalId, server }: Question) =>
    kind === 'definition' && principalId === idOf(serverKey(server)) && !known.has(principalId)
  const stale = inbox.open.filter(isGone)
  await Promise.all(stale.map(({ id }) => inbox.withdraw(id, 'the server is not configured any more')))
}

/** The id of the asking principal: the server itself. */
function idOf(server: ServerKey): string {
  return `server ${server}`
}

/** Equal for equal definitions. */
function keyOf(server: ServerKey, waiting: readonly ReviewedEntry[]): string {
  return hashOf(['definition', server, waiting.map(({ kind, original, offered }) => [kind, original, offered])])
}

/** True for a definition that is not the accepted one; one that a person hid stays hidden in any version. */
function isUndecided({ standing, offered }: ReviewedEntry): boolean {
  return offered !== undefined && standing !== 'hidden'
}

function questionOf(server: ServerKey, waiting: readonly ReviewedEntry[]) {
  const fresh = waiting.filter(({ standing }) => standing === 'new').length
  const changed = waiting.length - fresh
  const parts = [fresh > 0 && `${fresh} new`, changed > 0 && `${changed} changed`].filter(Boolean)
  const name = serverNameOf(server)
  return {
    kind: 'definition' as const,
    server: name,
    target: waiting.map(({ original }) => original).join(', '),
    principal: `server ${name}`,
    principalId: idOf(server),
    project: undefined,
    why: `server "${name}" offers ${parts.join(' and ')} since it was accepted`,
    detail: { entries: waiting.map(shownEntry) },
  }
}

function shownEntry({ kind, original, standing, definition, offered, proposed, findings }: ReviewedEntry): Fields {
  const changes = standing === 'new' ? [] : definitionDiff(definition, offered ?? {})
  return { kind, name: original, standing, class: proposed, changes, findings, definition: offered }
}
