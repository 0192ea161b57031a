import { hashOf } from './catalogue/definition-hash.ts'
import type { Inbox } from './inbox/inbox.ts'
import type { Question } from './inbox/question.ts'
import type { BoundPrograms } from './programs/bound-programs.ts'
import { fingerprintHash, fingerprintLines } from './programs/fingerprint.ts'
import { type ServerKey, serverNameOf } from './servers/server-key.ts'

/** How long the list may wait; the servers on it run meanwhile. */
const openMs = 30 * 24 * 3_600_000

/** Shows a person once, in one question, what was bound for servers that were accepted before files were bound. */
export class FoundPrograms {
  readonly #inbox: Inbox
  readonly #bound: BoundPrograms

  constructor(inbox: Inbox, bound: BoundPrograms) {
    this.#inbox = inbox
    this.#bound = bound
    inbox.whenAnswered('programs', (question) => this.#answered(question))
  }

  /** Asks about all of them together; a list that is out of date is withdrawn. */
  async ask(): Promise<void> {
    const found = this.#bound.unseen
    const key = hashOf(['programs', found.map(({ server, binding }) => [server, fingerprintHash(binding.fingerprint)])])
    const open = this.#inbox.open.filter(({ kind }) => kind === 'programs')
    for (const one of open) if (one.key !== key) await this.#inbox.withdraw(one.id, 'the list is another one by now')
    if (found.length === 0) return
    await this.#inbox.ask({
      kind: 'programs',
      key,
      server: 'trunkline',
      target: found.map(({ server }) => serverNameOf(server)).join(', '),
      principal: 'configuration',
      principalId: 'configuration',
      project: undefined,
      why: 'these servers were accepted before their files were, and go on with the files that were found',
      detail: {
        servers: found.map(({ server }) => server),
        changes: found.flatMap(({ server, binding }) =>
          fingerprintLines(binding.fingerprint).map((line) => `+ ${serverNameOf(server)}: ${line}`),
        ),
      },
      by: 'local',
      openMs,
    })
  }

  /** What was refused asks for each server, before its next start. */
  async #answered({ id, detail }: Question): Promise<void> {
    const settlement = this.#inbox.settlementOf(id)
    if (settlement?.state !== 'answered' || !Array.isArray(detail.servers)) return
    const by = settlement.answer.choice === 'refuse' ? 'nobody' : 'person'
    await this.#bound.decide(detail.servers as readonly ServerKey[], by)
  }
}
