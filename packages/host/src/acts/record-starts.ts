import { type ServerKey, serverNameOf } from '../act/server-key.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { StateChange } from '../servers/state-history.ts'

/** Records that a server began or ceased to run, for any cause. */
export function recordStart(ledger: Pick<Ledger, 'append'>, { server, state, why }: StateChange): void {
  const kind = state === 'ready' ? 'started' : 'stopped'
  const line = { kind, actKind: 'start', server: serverNameOf(server), outcome: state, why } as const
  // where nothing can be recorded calls are refused, and that says why
  ledger.append(line).catch(() => {})
}

/** Records that a server sends more than it may, so that its output is read slowly. */
export function recordThrottle(ledger: Pick<Ledger, 'append'>, server: ServerKey, why: string): void {
  const line = { kind: 'changed', server: serverNameOf(server), target: 'reading', outcome: 'throttled', why } as const
  ledger.append(line).catch(() => {})
}

/** Records that the host before this one ended without closing: reads are recorded when they end, so some may be missing. */
export function recordKill(ledger: Pick<Ledger, 'append'>): void {
  const why =
    'the host ended without closing; reads that were under way left no line, and other acts one that they began'
  ledger.append({ kind: 'stopped', actKind: 'start', target: 'host', outcome: 'killed', why }).catch(() => {})
}
