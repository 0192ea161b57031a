import { randomBytes } from 'node:crypto'
import type { Store } from '../store/store.ts'
import type { ChatEntry } from './entry.ts'

/** Summary of a conversation, without its entries. */
export interface ConversationSummary {
  readonly id: string
  /** The beginning of its first message. */
  readonly title: string
  /** The model it was begun with; missing for the usual one. */
  readonly model: string | undefined
  readonly madeAt: number
  readonly usedAt: number
  readonly tokens: number
  readonly cost: number
}

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
  readonly #limits: Required<ConversationLimits>

  constructor(store: Store, limits: ConversationLimits = {}) {
    this.#store = store
    this.#limits = { ...defaults, ...limits }
  }

  /** Begins a conversation. */
  async make(model?: string): Promise<string> {
    const id = randomBytes(9).toString('base64url')
    const now = Date.now()
    await this.#store.batch(() => {
      const { database } = this.#store
      database
        .prepare('INSERT INTO chat_conversation (id, title, model, made_at, used_at) VALUES (?, ?, ?, ?, ?)')
        .run(id, '', model ?? null, now, now)
      database
        .prepare(
          `DELETE FROM chat_conversation WHERE id NOT IN
           (SELECT id FROM chat_conversation ORDER BY used_at DESC, rowid DESC LIMIT ?)`,
        )
        .run(this.#limits.maxConversations)
    })
    return id
  }

  /** Every conversation, the one last used first. */
  all(): readonly ConversationSummary[] {
    return this.#store.database.prepare(`${summaries} ORDER BY used_at DESC, c.rowid DESC`).all().map(summaryOf)
  }

  summary(id: string): ConversationSummary {
    const row = this.#store.database.prepare(`${summaries} WHERE c.id = ?`).get(id)
    if (row) return summaryOf(row)
    throw new ConversationError('Unknown', `There is no conversation "${id}"`)
  }

  entries(id: string): readonly ChatEntry[] {
    const rows = this.#store.database
      .prepare('SELECT entry FROM chat_entry WHERE conversation = ? ORDER BY number')
      .all(id)
    return rows.map(({ entry }) => JSON.parse(String(entry)) as ChatEntry)
  }

  /** Throws when a conversation is too long to go on, from an entry or from its end. */
  refuseFull(id: string, from = Number.MAX_SAFE_INTEGER): void {
    const { maxConversationChars } = this.#limits
    const row = this.#store.database
      .prepare('SELECT coalesce(sum(length(entry)), 0) AS size FROM chat_entry WHERE conversation = ? AND number <= ?')
      .get(id, from)
    if (Number(row?.size) < maxConversationChars) return
    throw new ConversationError(
      'Full',
      `This conversation is longer than ${maxConversationChars} characters: begin another`,
    )
  }

  /** Throws when there is nothing of the person at this place, which they could say in another way. */
  refuseOthers(id: string, index: number): void {
    const row = this.#store.database
      .prepare(
        `SELECT 1 FROM chat_entry WHERE conversation = ? AND number = ? AND json_extract(entry, '$.by') = 'person'`,
      )
      .get(id, index + 1)
    if (!row) throw new ConversationError('Invalid', `Cannot say entry ${index} anew: it is none of the person`)
  }

  /** Deletes an entry and all that came after it. */
  async cut(id: string, index: number): Promise<void> {
    await this.#store.batch(
      () =>
        void this.#store.database
          .prepare('DELETE FROM chat_entry WHERE conversation = ? AND number > ?')
          .run(id, index),
    )
  }

  /** Gives a conversation another title. */
  async rename(id: string, title: string): Promise<void> {
    this.summary(id)
    const named = oneLine(title)
    if (named === '') throw new ConversationError('Invalid', 'Cannot rename the conversation: the title is empty')
    await this.#store.batch(
      () => void this.#store.database.prepare('UPDATE chat_conversation SET title = ? WHERE id = ?').run(named, id),
    )
  }

  /** Adds an entry; resolves with its place, counted from 0. */
  async add(id: string, entry: ChatEntry): Promise<number> {
    const { database } = this.#store
    let index = -1
    await this.#store.batch(() => {
      // a conversation that was deleted meanwhile is not begun anew
      if (!database.prepare('SELECT 1 FROM chat_conversation WHERE id = ?').get(id)) return
      const added = database
        .prepare(
          `INSERT INTO chat_entry (conversation, number, entry)
           SELECT ?1, coalesce(max(number), 0) + 1, ?2 FROM chat_entry WHERE conversation = ?1 RETURNING number`,
        )
        .get(id, JSON.stringify(entry))
      index = Number(added?.number) - 1
      database
        .prepare(
          `UPDATE chat_conversation SET used_at = ?, title = CASE title WHEN '' THEN ? ELSE title END WHERE id = ?`,
        )
        .run(Date.now(), titleOf(entry), id)
    })
    return index
  }

  async remove(id: string): Promise<void> {
    this.summary(id)
    await this.#store.batch(
      () => void this.#store.database.prepare('DELETE FROM chat_conversation WHERE id = ?').run(id),
    )
  }
}

const summaries = `SELECT c.*,
  (SELECT coalesce(sum(json_extract(entry, '$.tokens.input') + json_extract(entry, '$.tokens.output')), 0)
   FROM chat_entry WHERE conversation = c.id) AS tokens,
  (SELECT coalesce(sum(json_extract(entry, '$.cost')), 0) FROM chat_entry WHERE conversation = c.id) AS cost
  FROM chat_conversation c`

function summaryOf(row: { readonly [column: string]: unknown }): ConversationSummary {
  return {
    id: String(row.id),
    title: String(row.title),
    model: row.model === null ? undefined : String(row.model),
    madeAt: Number(row.made_at),
    usedAt: Number(row.used_at),
    tokens: Number(row.tokens),
    cost: Number(row.cost),
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
