import type { ProgramTool } from './description.ts'

/** Value read from stdout, nothing if it is only text, or the problem with it. */
export interface ParsedOutput {
  readonly value?: unknown
  readonly problem?: string
}

/** Reads the value that stdout stands for, as the description says. */
export function parseOutput(text: string, kind: ProgramTool['output'] = 'auto'): ParsedOutput {
  try {
    const value = valueIn(text, kind)
    return value === undefined ? {} : { value }
  } catch (error) {
    return {
      problem: `The program was to print ${kind}, and did not: ${error instanceof Error ? error.message : error}`,
    }
  }
}

function valueIn(text: string, kind: ProgramTool['output']): unknown {
  if (kind === 'text' || text.trim() === '') return undefined
  if (kind === 'json-lines')
    return text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => JSON.parse(line))
  if (kind === 'csv') return csvRecords(text)
  if (kind === 'json') return JSON.parse(text)
  // a number or a word is text that happens to be JSON
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Rows by the names in the first one (RFC 4180). */
function csvRecords(text: string): readonly { readonly [column: string]: string }[] {
  const [names = [], ...rows] = csvRows(text)
  return rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at] ?? ''])))
}

function csvRows(text: string): readonly (readonly string[])[] {
  const rows: string[][] = []
  let row: string[] = []
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y
  while (field.lastIndex < text.length) {
    const match = field.exec(text)
    if (match === null) throw new Error(`row ${rows.length + 1} has a stray quote`)
    const [, quoted, bare = '', end] = match
    row.push(quoted === undefined ? bare : quoted.replaceAll('""', '"'))
    if (end === ',') continue
    rows.push(row)
    row = []
  }
  if (row.length > 0) rows.push(row)
  return rows
}
