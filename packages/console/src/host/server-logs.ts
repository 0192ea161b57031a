import type { HostEvent } from '@trunkline/host/page-api'
import { KeptLines } from './kept-lines.ts'
import { type LogLine, logQuery, queryClient } from './queries.ts'
import { showTogether } from './show-together.ts'

/** Log lines kept per server; the host keeps as many. */
export const maxLogLines = 1_000

const waiting = new Map<string, KeptLines<LogLine>>()
const schedule = showTogether(show)

/** Adds log lines of a server whose log is shown. */
export function addLog({ server, lines, dropped = 0 }: HostEvent & { readonly event: 'log' }): void {
  if (!queryClient.getQueryData(logQuery(server).queryKey)) return
  const kept = waiting.get(server) ?? new KeptLines<LogLine>(maxLogLines)
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
      const excess = Math.max(0, known.items.length + lines.length - maxLogLines)
      return { items: [...known.items, ...lines].slice(excess), dropped: known.dropped + dropped + excess }
    })
  }
  waiting.clear()
  return shown
}
