import type { EventStore, StoredEvent } from '../../../stores/event-store.ts'

/** An entry of an outbox: a message, or that another process sends from now on. */
export interface OutboxEntry {
  /** A message to send. */
  readonly text?: string
  /** Number of the last change that the outbox has. */
  readonly change?: number
  /** Epoch of the process that sends from now on; empty for none. */
  readonly sender?: string
  /** Number of the last entry that was sent before. */
  readonly sent?: number
}

/** The state of an outbox, which follows from its entries. */
export interface OutboxState {
  /** Number of the last entry. */
  last: number
  sender: string
  sent: number
  /** Undefined when it is not known which changes the outbox has. */
  change: number | undefined
}

/** Entries that are read first to find the last one that names a sender. */
const fewEntries = 32

/** Reads the state of an outbox; `beganAt` is the change at which its session began. */
export async function outboxState(
  events: Required<EventStore>,
  key: string,
  beganAt: number | undefined,
): Promise<OutboxState> {
  const last = (await events.head(key))?.last ?? 0
  if (last === 0) return { last, sender: '', sent: 0, change: beganAt }
  const few = Math.max(0, last - fewEntries)
  const near = await events.after(key, few)
  const found = near && stateIn(near, few === 0, beganAt)
  if (found) return found
  // the whole log, or what is left of it
  const whole = few === 0 ? undefined : await events.after(key, 0)
  return (whole && stateIn(whole, true, beganAt)) ?? { last, sender: '', sent: last, change: undefined }
}

function stateIn(
  entries: readonly StoredEvent[],
  isWhole: boolean,
  beganAt: number | undefined,
): OutboxState | undefined {
  let state: OutboxState | undefined = isWhole ? { last: 0, sender: '', sent: 0, change: beganAt } : undefined
  for (const { number, data } of entries) {
    const { sender, sent, change } = JSON.parse(data) as OutboxEntry
    if (sender !== undefined && sent !== undefined) state = { last: number, sender, sent, change }
    if (!state) continue
    state.last = number
    if (change !== undefined) state.change = change
  }
  return state
}
