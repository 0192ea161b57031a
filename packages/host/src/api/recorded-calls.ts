import { setImmediate } from 'node:timers/promises'
import type { Fields } from '@trunkline/mcp'
import type { Act } from '../act/act.ts'
import { serverNameOf } from '../act/server-key.ts'
import type { Host } from '../assembly/host.ts'
import { effectsOf } from '../catalogue/effects.ts'
import type { ChainedLine } from '../ledger/line.ts'
import { queryLedger } from '../ledger/query.ts'
import type { RecordedCall } from '../policy/dry-run.ts'
import { knownKey } from './known-key.ts'

/** Number of calls read, newest first. */
const maxCalls = 10_000
/** Calls at a time, so that others get their turn. */
const pageSize = 200

type CallParts = Pick<Host, 'store' | 'catalogue' | 'ledger' | 'keyOf'>

/** The calls of tools that were recorded since a time, newest first, with their arguments as far as they were kept. */
export async function recordedCalls(parts: CallParts, since: number): Promise<readonly RecordedCall[]> {
  const calls: RecordedCall[] = []
  let before: number | undefined
  for (;;) {
    const page = queryLedger(parts.store, { since, most: pageSize, ...(before !== undefined && { before }) })
    for (const line of page) {
      const call = line.line.kind === 'ended' || line.line.kind === 'refused' ? callOf(line, parts) : undefined
      if (call) calls.push(call)
    }
    before = page.at(-1)?.number
    if (page.length < pageSize || calls.length >= maxCalls) return calls
    await setImmediate()
  }
}

function callOf({ at, line }: ChainedLine, parts: CallParts): RecordedCall | undefined {
  const { act: id, actKind, server, target, principal = '', project } = line
  const { catalogue, ledger } = parts
  const isCall = actKind === 'call' && server && target
  const entry = isCall ? catalogue.find(knownKey(parts, server), 'tool', target) : undefined
  if (!entry || id === undefined) return undefined
  const { arguments: kept } = ledger.payloads.of(id) as { readonly arguments?: Fields }
  const act: Act = {
    id,
    at,
    kind: 'call',
    principal: { id: principal, name: principal, isApprover: false },
    project,
    server: serverNameOf(entry.server),
    serverKey: entry.server,
    target: entry.original,
    arguments: kept ?? {},
    definition: line.definition,
    class: entry.class,
    effects: effectsOf(entry.definition),
    trace: line.trace ?? '',
  }
  // arguments that were left out or made unreadable have another digest
  return { act, hasArguments: kept !== undefined && ledger.digest(kept) === line.argumentsDigest }
}
