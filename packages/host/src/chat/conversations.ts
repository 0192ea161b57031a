import { randomId } from '@trunkline/base/random-id'
import type { Store } from '../store/store.ts'
import { type ConversationRow, ConversationTable } from '../store/tables/conversation-table.ts'
import type { ChatEntry } from './entry.ts'

/** Summary of a conversation, without its entries. */
export type ConversationSummary = ConversationRow

export interface ConversationLimits {
  /** Conversations that are kept; the one that was not used longest goes first. @default 200 */
  readonly maxConversations?: number
  /** Characters of one conversation. @default 8_000_000 */
  readonly maxConversationChars?: number
}

const defaults = { maxConversations: 200, maxConversationChars: 8_000_000 } as const satisfies ConversationLimits
const maxTitleChars = 80

/** A conversation that cannot be found or gone on with. */
export class ConversationError extends Error {
  override readonly name = 'ConversationError'
  readonly code: 'Unknown' | 'Full' | 'Busy' | 'Invalid'

  constructor(code: ConversationError['code'], message: string) {
    super(message)
    this.code = code
  }
}

/** Saved conversations. */
export class Conversations {
  readonly #store: Store
  readonly #table: ConversationTable
  readonly #limits: Required<ConversationLimits>

  constructor(store: Store, limits: ConversationLimits = {}) {
    this.#store = store
    this.#table = new ConversationTable(store)
    this.#limits = { ...defaults, ...limits }
  }

  /** Begins a conversation. */
  async make(model?: string): Promise<string> {
    const id = randomId(12)
    const now = Date.now()
    await this.#store.batch(() => {
      this.#table.insert(id, model, now)
      this.#table.keepNewest(this.#limits.maxConversations)
    })
    return id
  }

  /** Every conversation, the one last used first. */
  all(): readonly ConversationSummary[] {
    return this.#table.all()
  }

  summary(id: string): ConversationSummary {
    const found = this.#table.find(id)
    if (found) return found
    throw new ConversationError('Unknown', `There is no conversation "${id}"`)
  }

  entries(id: string): readonly ChatEntry[] {
    return this.#table.entries(id).map((entry) => JSON.parse(entry) as ChatEntry)
  }

  /** Throws when a conversation is too long to go on, from an entry or from its end. */
  refuseFull(id: string, from = Number.MAX_SAFE_INTEGER): void {
    const { maxConversationChars } = this.#limits
    if (this.#table.charsUpTo(id, from) < maxConversationChars) return
    throw new ConversationError(
      'Full',
      `This conversation is longer than ${maxConversationChars} characters: begin another`,
    )
  }

  /** Throws when there is nothing of the person at this place, which they could say in another way. */
  refuseOthers(id: string, index: number): void {
    if (this.#table.isOfPerson(id, index + 1)) return
    throw new ConversationError('Invalid', `Cannot say entry ${index} anew: it is none of the person`)
  }

  /** Deletes an entry and all that came after it. */
  async cut(id: string, index: number): Promise<void> {
    await this.#store.batch(() => this.#table.removeEntriesAfter(id, index))
  }

  /** Gives a conversation another title. */
  async rename(id: string, title: string): Promise<void> {
    this.summary(id)
    const named = oneLine(title)
    if (named === '') throw new ConversationError('Invalid', 'Cannot rename the conversation: the title is empty')
    await this.#store.batch(() => this.#table.rename(id, named))
  }

  /** Adds an entry; resolves with its place, counted from 0. */
  async add(id: string, entry: ChatEntry): Promise<number> {
    let index = -1
    await this.#store.batch(() => {
      // a conversation that was deleted meanwhile is not begun anew
      if (!this.#table.has(id)) return
      index = this.#table.addEntry(id, JSON.stringify(entry)) - 1
      this.#table.use(id, Date.now(), titleOf(entry))
    })
    return index
  }

  async remove(id: string): Promise<void> {
    this.summary(id)
    await this.#store.batch(() => this.#table.remove(id))
  }
}

function titleOf(entry: ChatEntry): string {
  if (entry.by !== 'person') return ''
  const [first] = entry.content
  const text = first?.type === 'text' ? first.text : first?.type === 'prompt' ? `/${first.name}` : (first?.uri ?? '')
  return oneLine(text)
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, maxTitleChars)
}
