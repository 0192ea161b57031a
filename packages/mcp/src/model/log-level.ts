import { McpError } from '../wire/errors.ts'
import { nearName } from '../wire/near-name.ts'
import { type LogLevel, logLevels } from './types.ts'

/** The severity of a log level; throws for an unknown level. */
export function severityOf(level: LogLevel): number {
  const severity = logLevels.indexOf(level)
  if (severity >= 0) return severity
  const meant = others.get(level) ?? nearName(String(level), logLevels)
  const fix = meant === undefined ? `levels are ${logLevels.join(', ')}` : `did you mean "${meant}"?`
  throw new McpError('Misuse', `Cannot use log level ${JSON.stringify(level)}: there is no such level; ${fix}`)
}

// names of levels in other libraries
const others: ReadonlyMap<string, LogLevel> = new Map([
  ['warn', 'warning'],
  ['trace', 'debug'],
  ['verbose', 'debug'],
  ['fatal', 'critical'],
])
