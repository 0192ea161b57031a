import type { Fields, Interceptor } from '@trunkline/mcp'
import type { Act } from '../act/act.ts'
import { Refused } from '../act/refused.ts'
import type { ServerKey } from '../act/server-key.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Line } from '../ledger/line.ts'
import type { Payload, RecordLevel } from '../ledger/payloads.ts'
import { HostEnding } from '../relay/open-call.ts'
import { decisionOf } from './decision-of.ts'
import type { ActHandler } from './doing.ts'

export interface RecordParts {
  readonly ledger: Ledger
  levelOf(server: ServerKey, project: string | undefined): RecordLevel
}

/** Records every act, those that are refused too. */
export function record(parts: RecordParts): Interceptor<ActHandler> {
  return (next) => (doing) => recorded(parts, doing.act, doing.call, () => next(doing))
}

/** The call that an act is done for. */
export interface CallOfAct {
  readonly signal: AbortSignal
  /** Requests sent to the server so far; missing for acts that are not sent to one. */
  readonly sends?: number
}

/**
 * Does an act and records it. An act that can change something is recorded before the first byte leaves, so that a host
 * that is killed still knows it began; the answer waits until its end is recorded.
 */
export async function recorded(
  { ledger, levelOf }: RecordParts,
  act: Act,
  call: CallOfAct,
  does: () => Promise<Fields>,
): Promise<Fields> {
  const start = performance.now()
  const level = levelOf(act.serverKey, act.project)
  const about = lineOf(act, ledger)
  const { sends } = call
  const isRecordedFirst = act.class !== 'reads'
  if (isRecordedFirst) await ledger.append({ kind: 'began', ...about }, { level, arguments: act.arguments })
  try {
    const result = await does()
    const edited = decisionOf(act)?.arguments
    const given = edited ?? (isRecordedFirst ? undefined : act.arguments)
    const outcome = result.isError === true ? 'error' : 'ok'
    const end = { ...asked(act), outcome, ms: msSince(start), resultDigest: ledger.digest(result) }
    const line: Line = {
      kind: 'ended',
      ...about,
      ...end,
      ...(edited && { argumentsDigest: ledger.digest(edited) }),
    }
    await ledger.append(line, { level, arguments: given, result })
    return result
  } catch (error) {
    const payload: Payload | undefined = isRecordedFirst ? undefined : { level, arguments: act.arguments }
    const isSent = sends === undefined ? {} : { isSent: call.sends !== sends }
    await ledger.append(
      { ...about, ...asked(act), ...endOf(error, call.signal), ...isSent, ms: msSince(start) },
      payload,
    )
    throw error
  }
}

function lineOf(act: Act, ledger: Ledger): Omit<Line, 'kind'> {
  const { id, kind, principal, project, server, target, trace, definition } = act
  return {
    act: id,
    actKind: kind,
    principal: principal.name,
    server,
    target,
    trace,
    argumentsDigest: ledger.digest(act.arguments),
    ...(project !== undefined && { project }),
    ...(definition !== undefined && { definition }),
  }
}

function asked(act: Act): Pick<Line, 'question'> {
  const decision = decisionOf(act)
  return decision === undefined ? {} : { question: decision.question }
}

function endOf(error: unknown, signal: AbortSignal): Pick<Line, 'kind' | 'outcome' | 'rule' | 'why'> {
  if (error instanceof Refused) {
    return { kind: 'refused', outcome: error.outcome, why: error.message, ...(error.rule && { rule: error.rule }) }
  }
  if (signal.aborted) return { kind: 'ended', outcome: signal.reason instanceof HostEnding ? 'unknown' : 'cancelled' }
  return { kind: 'ended', outcome: (error as { outcome?: string }).outcome?.toLowerCase() ?? 'failed' }
}

function msSince(start: number): number {
  return Math.round((performance.now() - start) * 10) / 10
}
