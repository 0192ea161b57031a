import type { Fields } from '@trunkline/mcp'
import { serverNameOf } from '../../act/server-key.ts'
import { headOf, linesOf, textOf } from './spill-text.ts'
import type { Spill } from './spills.ts'

/** The tool with which a model reads a result that was too large to be passed on. */
export const readResultTool = {
  name: 'read_result',
  title: 'Read a large result',
  description:
    'Reads from a result that was too large to be passed on whole: some of its lines, or the lines that hold a text.',
  inputSchema: {
    type: 'object',
    properties: {
      id: { type: 'string', description: 'Which result, as it was named when it was kept.' },
      from: { type: 'integer', minimum: 1, description: 'The first line to look at. Default: 1.' },
      lines: { type: 'integer', minimum: 1, maximum: 2_000, description: 'How many lines. Default: 200.' },
      search: { type: 'string', maxLength: 500, description: 'Only lines that hold this text, in any case.' },
    },
    required: ['id'],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true, openWorldHint: false },
} as const satisfies Fields

/** Part of a result to read. */
export interface ReadRange {
  readonly from: number
  readonly lines: number
  readonly search: string | undefined
}

/** The bytes of lines in one answer; further lines are read with the next call. */
const maxAnswerBytes = 64 * 1024

/** The lines that were asked for, after a sentence that says which they are and where it goes on. */
export function readSpill(spill: Spill, range: ReadRange): Fields {
  const lines = linesOf(textOf(spill))
  const found = range.search === undefined ? numbered(lines, range) : matching(lines, range, range.search)
  const { shown, next } = fitting(found, range.lines)
  const { id, server, target } = spill
  const of = `of ${lines.length} lines of result "${id}" (${kindOf(spill)} "${target}" of server "${serverNameOf(server)}")`
  const more = next === undefined ? 'nothing follows' : `goes on at line ${next}`
  const what = range.search === undefined ? spanOf(shown) : `${shown.length} that hold ${JSON.stringify(range.search)},`
  const text = shown.map(({ number, line }) => (range.search === undefined ? line : `${number}: ${line}`)).join('\n')
  return {
    content: [
      { type: 'text', text: `${what} ${of}; ${more}` },
      { type: 'text', text },
    ],
  }
}

function kindOf({ result }: Spill): string {
  if (result.content !== undefined) return 'tool'
  return result.contents === undefined ? 'prompt' : 'resource'
}

interface Numbered {
  readonly number: number
  readonly line: string
}

function* numbered(lines: readonly string[], { from }: ReadRange): Generator<Numbered> {
  for (let number = from; number <= lines.length; number++) yield { number, line: lines[number - 1] ?? '' }
}

function* matching(lines: readonly string[], range: ReadRange, search: string): Generator<Numbered> {
  const wanted = search.toLowerCase()
  for (const one of numbered(lines, range)) if (one.line.toLowerCase().includes(wanted)) yield one
}

function fitting(found: Iterable<Numbered>, most: number) {
  const shown: Numbered[] = []
  let bytes = 0
  for (const { number, line } of found) {
    bytes += Buffer.byteLength(line) + 1
    if (shown.length === most || bytes > maxAnswerBytes) return { shown, next: number }
    shown.push({ number, line: headOf(line, maxAnswerBytes) })
  }
  return { shown, next: undefined }
}

function spanOf(shown: readonly Numbered[]): string {
  const [first, last] = [shown[0], shown.at(-1)]
  return first && last ? `Lines ${first.number} to ${last.number}` : 'None'
}
