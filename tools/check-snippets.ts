/** Fails when TypeScript shown in a guide is not cut, word for word, from a file that runs. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type File, isTest, readFiles, root } from './lib/files.ts'
import { lineAt, type Problem, report } from './lib/problem.ts'

/**
 * A block of TypeScript in a guide, with the comment that says where it is from:
 * `<!-- from examples/x/server.ts#region -->`, or without `#region` for the whole file. Regions of one name belong together.
 */
const block = new RegExp(
  [
    /(?<head>(?:^<!-- from (?<path>[^\s#]+)(?:#(?<region>\S+))? -->\n+)?^ *```(?:ts|tsx|mts|typescript)\b.*\n)/,
    /(?<code>[\s\S]*?)/,
    /(?<tail>^ *```$)/,
  ]
    .map(({ source }) => source)
    .join(''),
  'gm',
)

/** The comment that says where a block is from, where no block follows. */
const withoutBlock = /^<!-- from \S+ -->\n(?!\n* *```)/gm

/** Finds blocks without an origin, blocks that their origin does not contain, and origins without a block. */
export function checkSnippets(files: readonly File[]): Problem[] {
  return guides(files).flatMap(({ path, text }) => [
    ...[...text.matchAll(block)].flatMap((match) => {
      const message = problemOf(match, files)
      return message === undefined ? [] : [{ path, line: lineAt(text, match.index), message }]
    }),
    ...[...text.matchAll(withoutBlock)].map(({ index }) => ({
      path,
      line: lineAt(text, index),
      message: 'No block follows: write one, and run node tools/check-snippets.ts --update',
    })),
  ])
}

/** A guide with every block that has an origin cut anew. */
export function updateSnippets({ text }: File, files: readonly File[]): string {
  return text.replaceAll(block, (whole, ...rest) => {
    const { path, region, head, tail } = rest.at(-1) as Groups
    const cut = path === undefined ? undefined : cutFrom(files, path, region)
    return cut === undefined ? whole : head + cut + tail
  })
}

interface Groups {
  readonly head: string
  readonly path?: string
  readonly region?: string
  readonly code: string
  readonly tail: string
}

function problemOf(match: RegExpExecArray, files: readonly File[]): string | undefined {
  const { path, region, code } = match.groups as unknown as Groups
  if (path === undefined) return 'This block does not say where it is from: write <!-- from examples/… --> above it'
  if (!runs(path, files)) return `Cannot show "${path}": no test runs it`
  const cut = cutFrom(files, path, region)
  if (cut === undefined) return `Cannot show "${path}": it has no region "${region}"`
  return cut === code ? undefined : `This block differs from "${path}": run node tools/check-snippets.ts --update`
}

/** True if the gate runs a file: a test, or a part of an example. */
function runs(path: string, files: readonly File[]): boolean {
  const [folder, story] = path.split('/')
  if (!files.some((file) => file.path === path)) return false
  return isTest(path) || (folder === 'examples' && files.some((file) => file.path === `examples/${story}/main.ts`))
}

/** The part of a file that a block shows: a region or all of it. */
function cutFrom(files: readonly File[], path: string, region: string | undefined): string | undefined {
  const text = files.find((file) => file.path === path)?.text ?? ''
  return piecesOf(text.trimEnd().split('\n'), region)?.map(withoutIndent).join('\n')
}

/** The text of a piece without region comments and common indentation. */
function withoutIndent(piece: readonly string[]): string {
  const lines = piece.filter((line) => !/^\s*\/\/ (?:end)?region\b/.test(line))
  const indent = Math.min(...lines.filter((line) => line.trim() !== '').map((line) => line.search(/\S/)))
  return lines.map((line) => `${line.slice(indent)}\n`).join('')
}

/** The lines between each `// region name` and the `// endregion` that follows; an empty line is put between two of them. */
function piecesOf(lines: readonly string[], region: string | undefined): readonly (readonly string[])[] | undefined {
  if (region === undefined) return [lines]
  const pieces: (readonly string[])[] = []
  for (const [start, line] of lines.entries()) {
    if (line.trim() !== `// region ${region}`) continue
    const end = endAfter(lines, start)
    if (end < 0) return undefined
    pieces.push(lines.slice(start, end))
  }
  return pieces.length === 0 ? undefined : pieces
}

function endAfter(lines: readonly string[], start: number): number {
  return lines.findIndex((line, at) => at > start && line.trim() === '// endregion')
}

/** Guides, which are written by hand; the API reference is made from the declarations. */
function guides(files: readonly File[]): File[] {
  return files.filter(({ path }) => path.endsWith('.md') && !path.startsWith('docs/api/'))
}

if (import.meta.main) {
  const read = () =>
    readFiles('README.md', 'docs/**/*.md', 'packages/*/README.md', 'examples/**/*.ts', 'packages/**/{src,test}/**/*.ts')
  const files = read()
  if (process.argv.includes('--update')) {
    for (const guide of guides(files)) writeFileSync(join(root, guide.path), updateSnippets(guide, files))
  }
  const blocks = guides(files).flatMap(({ text }) => [...text.matchAll(block)])
  report(checkSnippets(read()), `blocks cut from files that run: ${blocks.length}`)
}
