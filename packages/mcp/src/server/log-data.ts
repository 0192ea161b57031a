import { toJson } from '../schema/json-value.ts'

/** Converts log data to JSON; never fails: what JSON cannot represent is described. */
export function loggable(data: unknown): unknown {
  if (data === undefined) return null
  return toJson(data, (reason, value) => (value instanceof Error ? String(value) : `[${reason}]`))
}
