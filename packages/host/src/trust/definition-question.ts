import type { Fields } from '@trunkline/mcp'
import type { Catalogue, ReviewedEntry } from '../catalogue/catalogue.ts'
import { definitionDiff } from '../catalogue/definition-diff.ts'
import { hashOf } from '../catalogue/definition-hash.ts'
import type { Inbox } from '../inbox/inbox.ts'
import type { Question } from '../inbox/question.ts'
import { serverNameOf } from '../servers/server-key.ts'

/** How long a changed definition may wait; the accepted one stays in use meanwhile. */
const openMs = 30 * 24 * 3_600_000

/** Asks about what a server offers and nobody accepted: one question for all of it, and one at a time. */
export class DefinitionQuestions {
  readonly #inbox: Inbox
  readonly #catalogue: Catalogue
  /** The open question of each server. */
  readonly #open = new Map<string, Question>()

  constructor(inbox: Inbox, catalogue: Catalogue) {
    this.#inbox = inbox
    this.#catalogue = catalogue
  }

  /** Asks about what is new or changed; a question that is out of date is withdrawn. */
  async review(server: string): Promise<void> {
    const waiting = this.#catalogue.review(server).filter(isUndecided)
    const key = hashOf(['definition', server, waiting.map(({ kind, original, offered }) => [kind, original, offered])])
    const open = this.#open.get(server)
    if (open?.key === key) return
    if (open) await this.#inbox.withdraw(open.id, 'the server offers something else by now')
    this.#open.delete(server)
    if (waiting.length === 0 || this.#inbox.wasRefused(key)) return
    const { question, settled } = await this.#inbox.ask({ ...questionOf(server, waiting), key, by: 'local', openMs })
    this.#open.set(server, question)
    void settled.then(async (settlement) => {
      if (this.#open.get(server) === question) this.#open.delete(server)
      if (settlement.state !== 'answered' || settlement.answer.choice === 'refuse') return
      await this.#catalogue.accept(server, waiting)
    })
  }
}

/** A definition that is not the accepted one; what a person hid stays hidden whatever it says. */
function isUndecided({ standing, offered }: ReviewedEntry): boolean {
  return offered !== undefined && standing !== 'hidden'
}

function questionOf(server: string, waiting: readonly ReviewedEntry[]) {
  const fresh = waiting.filter(({ standing }) => standing === 'new').length
  const changed = waiting.length - fresh
  const parts = [fresh > 0 && `${fresh} new`, changed > 0 && `${changed} changed`].filter(Boolean)
  const name = serverNameOf(server)
  return {
    kind: 'definition' as const,
    server: name,
    target: waiting.map(({ original }) => original).join(', '),
    principal: `server ${name}`,
    principalId: `server ${server}`,
    project: undefined,
    why: `server "${name}" offers ${parts.join(' and ')} since it was accepted`,
    detail: { entries: waiting.map(shownEntry) },
  }
}

function shownEntry({ kind, original, standing, definition, offered, proposed, findings }: ReviewedEntry): Fields {
  const changes = standing === 'new' ? [] : definitionDiff(definition, offered ?? {})
  return { kind, name: original, standing, class: proposed, changes, findings, definition: offered }
}
