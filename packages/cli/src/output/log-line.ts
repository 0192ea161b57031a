import type { LogMessage } from '@trunkline/mcp/client'
import { visibleJson } from './json.ts'
import { type Line, type Style, styled } from './span.ts'

/** A log message of a server, in one line. */
export function logLine({ level, logger, data }: LogMessage): Line {
  const text = typeof data === 'string' ? data : visibleJson(data)
  return [styled(styleOf(level), `[${level}]`), logger === undefined ? ' ' : ` ${logger}: `, text]
}

function styleOf(level: string): Style {
  if (['debug', 'info', 'notice'].includes(level)) return 'faint'
  return level === 'warning' ? 'warning' : 'bad'
}
