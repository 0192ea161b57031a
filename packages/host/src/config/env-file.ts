/** A line of an environment file that cannot be read. */
export interface BadLine {
  /** Counted from 1. */
  readonly line: number
}

/** Reads a file of `NAME=value` lines, with comments and quotes as such files have them. */
export function readEnvFile(text: string): {
  readonly values: { readonly [name: string]: string }
  readonly bad: readonly BadLine[]
} {
  const values: { [name: string]: string } = Object.create(null)
  const bad: BadLine[] = []
  for (const [index, raw] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    const line = raw.trim()
    if (line === '' || line.startsWith('#')) continue
    const [, name, value] = /^(?:export\s+)?([A-Za-z_][A-Za-z0-9_.]*)\s*=\s*(.*)$/.exec(line) ?? []
    if (name === undefined || value === undefined) bad.push({ line: index + 1 })
    else values[name] = unquoted(value)
  }
  return { values: { ...values }, bad }
}

function unquoted(value: string): string {
  const [, double] = /^"((?:[^"\\]|\\.)*)"\s*(?:#.*)?$/.exec(value) ?? []
  if (double !== undefined) return double.replaceAll(/\\(.)/g, (_, character) => escapes[character] ?? character)
  const [, single] = /^'([^']*)'\s*(?:#.*)?$/.exec(value) ?? []
  return single ?? value.replace(/\s+#.*$/, '')
}

const escapes: { readonly [character: string]: string } = { n: '\n', r: '\r', t: '\t' }
