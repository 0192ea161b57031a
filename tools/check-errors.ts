/** Fails when an error code has no heading in `docs/errors.md`, or a heading there names no error code. */
import { type File, readFiles } from './lib/files.ts'
import { lineAt, type Problem, report } from './lib/problem.ts'

const source = 'packages/mcp/src/wire/errors.ts'
const guide = 'docs/errors.md'

/** Compares the codes in the source with the third-level headings of the guide, both ways. */
export function checkErrors(files: readonly File[]): Problem[] {
  const code = files.find(({ path }) => path === source)?.text ?? ''
  const prose = files.find(({ path }) => path === guide)?.text ?? ''
  const codes = errorCodes(code)
  if (codes.length === 0) return [{ path: source, message: 'Cannot check the error codes: none found' }]
  const headings = [...prose.matchAll(/^### (.+)$/gm)].map((match) => ({
    title: match[1] ?? '',
    line: lineAt(prose, match.index),
  }))
  return [
    ...codes
      .filter((title) => !headings.some((heading) => heading.title === title))
      .map((title) => ({ path: guide, message: `Missing the heading "### ${title}"` })),
    ...headings
      .filter(({ title }) => !codes.includes(title))
      .map(({ title, line }) => ({ path: guide, line, message: `No error code is "${title}"` })),
  ]
}

/** The codes as headings name them: `Timeout`, and `ParseError (-32700)`. */
export function errorCodes(code: string): string[] {
  const [, union = ''] = code.match(/export type McpErrorCode =((?:\s*\|?\s*'\w+')+)/) ?? []
  const words = [...union.matchAll(/'(\w+)'/g)].map(([, name]) => `${name}`)
  const numbers = [...code.matchAll(/^export const (\w+) = (-\d+)$/gm)].map(([, name, number]) => `${name} (${number})`)
  return [...words, ...numbers]
}

if (import.meta.main) {
  const files = readFiles(source, guide)
  const [{ text } = { text: '' }] = files.filter(({ path }) => path === source)
  report(checkErrors(files), `${errorCodes(text).length} error codes explained`)
}
