import type { Fields } from '@trunkline/mcp'
import { tokensOf } from '../model/estimate-tokens.ts'
import type { ChatEntry } from './entry.ts'

/** Part of a conversation that a model is given. */
export interface Trimmed {
  readonly entries: readonly ChatEntry[]
  /** Number of oldest turns left out. */
  readonly turns: number
  /** Number of tool results shortened. */
  readonly results: number
}

/** Characters kept of an older result. */
const oldResultChars = 1_000
/** A file counts as much as this text. */
const fileChars = 6_000

/** The rule, as people are told it. */
export const trimRule =
  'What does not fit is left out in this order: results of tools before the last message are cut to 1000 characters, ' +
  'then the oldest turns go as a whole, then the results of the last turn are cut evenly. All of it stays saved.'

/** Trims a conversation until it fits; the person's last message always stays. */
export function trim(entries: readonly ChatEntry[], maxTokens: number): Trimmed {
  if (sizeOf(entries) <= maxTokens) return { entries, turns: 0, results: 0 }
  const start = Math.max(
    0,
    entries.findLastIndex(({ by }) => by === 'person'),
  )
  const last = entries.slice(start)
  const older = turnsOf(entries.slice(0, start).map((entry) => cut(entry, oldResultChars)))
  let left = maxTokens - sizeOf(last)
  const kept: ChatEntry[][] = []
  for (const turn of older.toReversed()) {
    left -= sizeOf(turn)
    if (left < 0) break
    kept.unshift(turn)
  }
  const fitting = left < 0 && kept.length === 0 ? cutLast(last, maxTokens) : last
  const all = [...kept.flat(), ...fitting]
  const before = new Set(entries)
  return {
    entries: all,
    turns: older.length - kept.length,
    results: all.filter((entry) => entry.by === 'tools' && !before.has(entry)).length,
  }
}

/** Estimated tokens of entries. */
export function sizeOf(entries: readonly ChatEntry[]): number {
  const text = JSON.stringify(entries, (key, value) =>
    (key === 'data' || key === 'blob') && typeof value === 'string' && value.length > fileChars
      ? value.slice(0, fileChars)
      : value,
  )
  return tokensOf(text)
}

/** A turn begins with a person's message. */
function turnsOf(entries: readonly ChatEntry[]): ChatEntry[][] {
  const turns: ChatEntry[][] = []
  for (const entry of entries) {
    const turn = turns.at(-1)
    if (entry.by === 'person' || turn === undefined) turns.push([entry])
    else turn.push(entry)
  }
  return turns
}

function cutLast(turn: readonly ChatEntry[], maxTokens: number): readonly ChatEntry[] {
  const results = turn.filter(({ by }) => by === 'tools')
  const others = sizeOf(turn.filter(({ by }) => by !== 'tools'))
  const chars = Math.max(200, Math.floor(((maxTokens - others) * 4) / Math.max(1, results.length)) - 400)
  return turn.map((entry) => cut(entry, chars))
}

/** An entry whose results have so many characters at most. */
function cut(entry: ChatEntry, maxChars: number): ChatEntry {
  if (entry.by !== 'tools' || JSON.stringify(entry.results).length <= maxChars) return entry
  const each = Math.floor(maxChars / entry.results.length)
  return { ...entry, results: entry.results.map((result) => ({ ...result, content: cutBlocks(result.content, each) })) }
}

function cutBlocks(blocks: readonly Fields[], maxChars: number): readonly Fields[] {
  const text = blocks.map((block) => (block.type === 'text' ? String(block.text) : `[${block.type}]`)).join('\n')
  if (text.length <= maxChars) return [{ type: 'text', text }]
  return [{ type: 'text', text: `${text.slice(0, maxChars)}\n[${text.length - maxChars} more characters left out]` }]
}
