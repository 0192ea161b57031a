import type { LockedServer, Lockfile } from './lockfile.ts'

/** The text of a lock: sorted, one line for each tool, so that a change of one is a change of one line. */
export function renderLockfile(servers: Lockfile['servers']): string {
  const blocks = sorted(servers).map(([name, server]) => `    ${JSON.stringify(name)}: ${renderServer(server)}`)
  const inside = blocks.length === 0 ? '{}' : `{\n${blocks.join(',\n')}\n  }`
  return `{\n  "version": 1,\n  "servers": ${inside}\n}\n`
}

const plainKeys = ['command', 'cwd', 'environment', 'url', 'headers', 'program', 'integrity'] as const
const tableKeys = ['tools', 'prompts', 'templates', 'instructions', 'skills'] as const

function renderServer(server: LockedServer): string {
  const plain = plainKeys.flatMap((key) => {
    const value = server[key]
    return value === undefined ? [] : [`      ${JSON.stringify(key)}: ${oneLine(value)}`]
  })
  const tables = tableKeys.flatMap((key) => {
    const rows = sorted(server[key] ?? {}).map(([name, value]) => `        ${JSON.stringify(name)}: ${oneLine(value)}`)
    return rows.length === 0 ? [] : [`      ${JSON.stringify(key)}: {\n${rows.join(',\n')}\n      }`]
  })
  const lines = [...plain, ...tables]
  return lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n    }`
}

function oneLine(value: string | readonly string[] | object): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map((item) => JSON.stringify(item)).join(', ')}]`
  const members = sorted(value as { readonly [key: string]: unknown })
  return `{ ${members.map(([key, inner]) => `${JSON.stringify(key)}: ${JSON.stringify(inner)}`).join(', ')} }`
}

/** By code units, which is the same on every machine. */
function sorted<Value>(table: { readonly [key: string]: Value }): [string, Value][] {
  return Object.entries(table).sort(([one], [other]) => (one < other ? -1 : 1))
}
