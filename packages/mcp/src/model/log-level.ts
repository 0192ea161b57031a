import { McpError } from '../wire/errors.ts'
import { nearName } from '../wire/near-name.ts'
import { type LogLevel, logLevels } from './types.ts'

/** How severe a log level is; throws for a word that is none. */
export function severityOf(level: LogLevel): number {
  const severity = logLevels.indexOf(level)
  if (severity >= 0) return severity
  const meant = others.get(level) ?? nearName(String(level), logLevels)
  const fix = meant === undefined ? `levels are ${logLevels.join(', ')}` : `did you mean "${meant}"?`
  throw new McpError('Misuse', `Cannot use log level ${JSON.stringify(level)}: there is no such level; ${fix}`)
}

// what loggers of other libraries call them
const others: ReadonlyMap<string, LogLevel> = new Map([
  ['warn', 'warning'],
  ['trace', 'debug'],
  ['verbose', 'debug'],
  ['fatal', 'critical'],
])
