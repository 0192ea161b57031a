import type { LogLine } from '../../host/queries.ts'

/** Severities that a person filters by, the gravest first. */
export const logSeverities = ['error', 'warning', 'info', 'debug'] as const
export type LogSeverity = (typeof logSeverities)[number]

/** A line of a log as it is shown. */
export interface ShownLine {
  readonly at: number
  readonly number: number
  readonly from: 'stderr' | 'message' | 'host'
  /** Declared by a message, or by the first words of a line of stderr; missing if neither says it. */
  readonly severity: LogSeverity | undefined
  readonly text: string
}

/** A line with its origin and its severity. */
export function shownLine({ at, number, text, level }: LogLine): ShownLine {
  if (level !== undefined) {
    const said = text.replace(/^\(log\) \S+ /, '')
    return { at, number, from: 'message', severity: ofLevel(level), text: said }
  }
  if (text.startsWith('(host) ')) return { at, number, from: 'host', severity: 'info', text: text.slice(7) }
  return { at, number, from: 'stderr', severity: ofText(text), text }
}

/** True if a line is at least as grave as wanted and holds the words; stderr that names no severity may be anything. */
export function passesFilter(line: ShownLine, least: LogSeverity, words: string): boolean {
  const rank = logSeverities.indexOf(line.severity ?? (line.from === 'stderr' ? 'warning' : 'info'))
  return rank <= logSeverities.indexOf(least) && line.text.toLowerCase().includes(words.trim().toLowerCase())
}

/** A line as text, for a file. */
export function lineText({ at, from, severity, text }: ShownLine): string {
  return `${new Date(at).toISOString()} ${from}${severity === undefined ? '' : ` ${severity}`} ${text}`
}

function ofLevel(level: NonNullable<LogLine['level']>): LogSeverity {
  if (level === 'debug') return 'debug'
  if (level === 'warning') return 'warning'
  return level === 'info' || level === 'notice' ? 'info' : 'error'
}

/** Words of the first part of a line, where loggers write a severity. */
function ofText(text: string): LogSeverity | undefined {
  const head = text.slice(0, 80)
  if (
    /\b(?:error|fatal|panic|critical|exception|uncaught)\b/i.test(head) ||
    /^\s*Traceback\b|[a-z]Error\b/.test(head)
  ) {
    return 'error'
  }
  if (/\bwarn(?:ing)?\b/i.test(head)) return 'warning'
  if (/\b(?:debug|trace|verbose)\b/i.test(head)) return 'debug'
  return /\binfo\b/i.test(head) ? 'info' : undefined
}
