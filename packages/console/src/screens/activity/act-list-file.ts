import { type ActRow, ownMs } from '../../host/acts.ts'

const columns = [
  'time',
  'client',
  'server',
  'target',
  'kind',
  'outcome',
  'ms',
  'ms without waits for a person',
  'reason',
  'trace',
  'act',
] as const

type Listed = { readonly [column in (typeof columns)[number]]: string | number | undefined }

function listed(row: ActRow): Listed {
  return {
    time: new Date(row.at).toISOString(),
    client: row.principal,
    server: row.server,
    target: row.target,
    kind: row.actKind ?? row.kind,
    outcome: row.outcome,
    ms: row.ms,
    'ms without waits for a person': ownMs(row),
    reason: row.why,
    trace: row.trace,
    act: row.act,
  }
}

/** The list of acts as CSV, as RFC 4180 has it. */
export function actsAsCsv(rows: readonly ActRow[]): string {
  const lines = rows.map(listed).map((one) => columns.map((column) => cell(one[column])).join(','))
  return `${[columns.join(','), ...lines].join('\r\n')}\r\n`
}

/** The list of acts as JSON. */
export function actsAsJson(rows: readonly ActRow[]): string {
  return `${JSON.stringify(rows.map(listed), undefined, 2)}\n`
}

/** A value of CSV; texts of servers and clients must not become a formula of a spreadsheet. */
function cell(value: string | number | undefined): string {
  if (value === undefined) return ''
  if (typeof value === 'number') return String(value)
  const text = /^[\s]*[=+\-@]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
