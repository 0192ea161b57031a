import { toJson } from '../schema/json-value.ts'

/** What is logged, as JSON carries it; a log message never fails, so what has no form in JSON is described. */
export function loggable(data: unknown): unknown {
  if (data === undefined) return null
  return toJson(data, (reason, value) => (value instanceof Error ? String(value) : `[${reason}]`))
}
