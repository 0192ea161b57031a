import type { z } from 'zod'
import { serverNameOf } from '../act/server-key.ts'
import type { Entry } from '../catalogue/entry.ts'
import { callsSince } from '../ledger/query.ts'
import type { Store } from '../store/store.ts'
import type { catalogueEntry } from './schemas.ts'
import { estimatedTokens, tokensOfText } from './token-estimate.ts'

const monthMs = 30 * 24 * 3_600_000

/** Number of calls in the last 30 days, by server and tool. */
export type RecentCalls = ReturnType<typeof callsSince>

/** Counts the calls of the last 30 days. */
export function recentCalls(store: Store): RecentCalls {
  return callsSince(store, Date.now() - monthMs)
}

/** An offer as pages show it. */
export function shownEntry(entry: Entry, calls: RecentCalls): z.output<typeof catalogueEntry> {
  const server = serverNameOf(entry.server)
  return {
    ...entry,
    server,
    tokens: tokensOfEntry(entry),
    callsIn30Days: calls.get(server)?.get(entry.original) ?? 0,
  }
}

/** Tokens that every conversation pays: of a tool with its name in the aggregate, which is longer than its own. */
export function tokensOfEntry({ kind, name, definition }: Entry): number {
  if (kind === 'instructions') return tokensOfText(String(definition.text))
  return kind === 'tool' ? estimatedTokens({ ...definition, name }) : 0
}
