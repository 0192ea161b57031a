import type { HostEvent } from '@trunkline/host/page-api'
import { KeptLines } from './kept-lines.ts'
import { type LogLine, logQuery, queryClient } from './queries.ts'
import { showTogether } from './show-together.ts'

/** Lines of stderr kept per server, and as many log messages; the host keeps as many. */
export const maxLogLines = 1_000

const waiting = new Map<string, KeptLines<LogLine>>()
const schedule = showTogether(show)

/** Adds log lines of a server whose log is shown. */
export function addLog({ server, lines, dropped = 0 }: HostEvent & { readonly event: 'log' }): void {
  if (!queryClient.getQueryData(logQuery(server).queryKey)) return
  const kept = waiting.get(server) ?? new KeptLines<LogLine>(2 * maxLogLines)
  waiting.set(server, kept)
  kept.add(lines, dropped)
  schedule()
}

function show(): number {
  let shown = 0
  for (const [server, kept] of waiting) {
    const { lines, dropped } = kept.take()
    shown += lines.length
    queryClient.setQueryData(logQuery(server).queryKey, (known) => {
      if (!known) return known
      // an unfinished line comes again when it is ended
      const all = [...known.items.filter(({ isUnfinished }) => !isUnfinished), ...lines]
      const items = newest(all)
      return { items, dropped: known.dropped + dropped + all.length - items.length }
    })
  }
  waiting.clear()
  return shown
}

/** The newest lines of each kind, so that many messages do not push out what was written to stderr. */
function newest(lines: readonly LogLine[]): LogLine[] {
  if (lines.length <= maxLogLines) return [...lines]
  const isMessage = ({ level }: LogLine) => level !== undefined
  const messages = lines.filter(isMessage).length
  let excess = { messages: messages - maxLogLines, others: lines.length - messages - maxLogLines }
  return lines.filter((line) => {
    const kind = isMessage(line) ? 'messages' : 'others'
    if (excess[kind] <= 0) return true
    excess = { ...excess, [kind]: excess[kind] - 1 }
    return false
  })
}
