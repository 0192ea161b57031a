import { severityOf } from '../model/log-level.ts'
import { type LogLevel, logLevels } from '../model/types.ts'
import { toJson } from '../schema/json-value.ts'
import type { Fields } from '../wire/messages.ts'

/** The params of `notifications/message`; undefined when the caller wants no messages, or only more severe ones. */
export function logParams(
  { level, data, logger }: { level: LogLevel; data: unknown; logger: string | undefined },
  wanted: LogLevel | undefined,
): Fields | undefined {
  const severity = severityOf(level)
  if (wanted === undefined || severity < logLevels.indexOf(wanted)) return undefined
  return { level, data: loggable(data), ...(logger !== undefined && { logger }) }
}

/** The log message in place of those that are left out. */
export function leftOut(level: LogLevel, perSecond: number): Fields {
  return { level, data: `Log messages are left out: one call may send ${perSecond} per second` }
}

/** Converts log data to JSON; never fails: what JSON cannot represent is described. */
function loggable(data: unknown): unknown {
  if (data === undefined) return null
  return toJson(data, (reason, value) => (value instanceof Error ? String(value) : `[${reason}]`))
}
