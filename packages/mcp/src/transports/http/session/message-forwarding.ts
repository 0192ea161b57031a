import type { ClusterMember, ProcessEntry } from '../../../cluster/member.ts'
import { controlMethods } from '../../../model/control-methods.ts'
import type { Message } from '../../../wire/messages.ts'
import { isBatch } from '../server/message-kind.ts'
import { orAway } from '../server/or-away.ts'
import { HttpRefusal } from '../server/refusals.ts'

/** A session here whose messages may be for other processes. */
export interface ForwardedSession {
  readonly id: string
  readonly principal: string | undefined
  /** True while a request of this id is unanswered here. */
  isAnswering(id: unknown): boolean
  /** Receives a message that another process passed on. */
  deliver(message: Message): void
}

/** Messages that were posted here, and at least one of them is for another process. */
export interface Forwarded {
  /** Those for this process too. */
  readonly here: readonly Message[]
  /** Resolves when the others have what is for them. */
  readonly sent: Promise<unknown>
}

const about = 'message'

/** Passes answers, progress and cancels of clients on to the process that asked or works. */
export class MessageForwarding {
  readonly #member: ClusterMember

  constructor(member: ClusterMember, find: (id: string) => ForwardedSession | undefined) {
    this.#member = member
    member.on(about, ({ session, principal, message }: ProcessEntry) => {
      const found = find(session as string)
      // an id of a question says nothing of its session, so the session has to
      if (found && (found.principal ?? null) === principal) found.deliver(message as Message)
    })
  }

  /** Passes on what is for other processes; undefined if nothing is. */
  forward(posted: Message | readonly Message[], session: ForwardedSession): Forwarded | undefined {
    const messages = isBatch(posted) ? posted : [posted]
    const targets = messages.map((message) => this.#targetOf(message, session))
    if (targets.every((target) => target === undefined)) return undefined
    const sent = messages.map((message, at) => this.#send(message, targets[at], session))
    // a cancel may be for this process all the same
    const here = messages.filter((_, at) => targets[at] === undefined || targets[at] === everywhere)
    return { here, sent: orAway(this.#member, () => Promise.all(sent)) }
  }

  #targetOf(message: Message, session: ForwardedSession): string | typeof everywhere | undefined {
    if (!('method' in message)) return this.#elsewhere(message.id)
    if ('id' in message) return undefined
    if (message.method === controlMethods.progress) return this.#elsewhere(message.params?.progressToken)
    const isCancel = message.method === controlMethods.cancelled
    return isCancel && !session.isAnswering(message.params?.requestId) ? everywhere : undefined
  }

  #elsewhere(id: unknown): string | undefined {
    const owner = this.#member.ownerOf(id)
    return owner === this.#member.epoch ? undefined : owner
  }

  async #send(
    message: Message,
    target: string | typeof everywhere | undefined,
    session: ForwardedSession,
  ): Promise<void> {
    if (target === undefined) return
    const entry = { about, session: session.id, principal: session.principal ?? null, message }
    if (target === everywhere) return this.#member.tellAll(entry)
    const heard = await this.#member.tell([target], entry)
    // a process that is gone waits for no answer
    if (heard.length === 0 && (await this.#member.stores.presence.isLive(target)))
      throw new HttpRefusal(503, 'The process that asked is busy', { 'retry-after': '1' })
  }
}

const everywhere = Symbol('every process')
