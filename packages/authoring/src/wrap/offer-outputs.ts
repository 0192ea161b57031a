import type { Server } from '@trunkline/mcp'
import { type KeptBytes, readKeptLines, searchKept } from '@trunkline/mcp/contract'
import { decodeOutput } from './decode-output.ts'
import type { KeptOutputs } from './kept-outputs.ts'

const mostBytes = 1_048_576

/** Lets callers read what was too long for a result: all of it, a range of bytes or lines, or where a text stands. */
export function offerOutputs(wrapped: Server, outputs: KeptOutputs): void {
  const definition = {
    name: 'output',
    description: `What a program wrote, beyond what its result carries; at most ${mostBytes} bytes at once, from the byte "from". lines=1-200 gives lines, search=text finds a text`,
  }
  wrapped.template(
    'wrap://output/{id}{?from,bytes,lines,search,after}',
    definition,
    async ({ id, from = '0', bytes = `${mostBytes}`, lines, search, after = '0' }, { uri, signal }) => {
      const kept = outputs.find(id)
      if (kept === undefined) throw new Error(`Cannot read "${uri}": it is not kept any more`)
      if (lines) return { contents: [{ uri, ...(await linesOf(kept, lines, uri)) }] }
      if (search) {
        const found = await searchKept(kept, search, Math.min(numberOf(after, uri), kept.size), signal)
        return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(found) }] }
      }
      const begin = numberOf(from, uri)
      const part = await kept.file.read(begin, begin + Math.min(numberOf(bytes, uri), mostBytes))
      const meta = { 'dev.trunkline/range': { from: begin, to: begin + part.length, total: kept.size } }
      return { contents: [{ uri, ...shown(part), _meta: meta }] }
    },
  )
}

async function linesOf(kept: KeptBytes, lines: string, uri: string) {
  const [, first = '0', last = '0'] = /^(\d{1,9})-(\d{1,9})$/.exec(lines) ?? []
  const range = { first: Number(first), last: Number(last) }
  if (range.first < 1 || range.last < range.first)
    throw new Error(`Cannot read "${uri}": lines is a range such as lines=1-200`)
  return shown(await readKeptLines(kept, range, mostBytes))
}

function shown(bytes: Uint8Array): { mimeType: string; text: string } | { mimeType: string; blob: string } {
  const decoded = decodeOutput(bytes, true)
  if (decoded.kind === 'text') return { mimeType: 'text/plain', text: decoded.text }
  return { mimeType: decoded.mimeType, blob: Buffer.from(bytes).toString('base64') }
}

function numberOf(text: string, uri: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new Error(`Cannot read "${uri}": from, bytes and after are whole numbers`)
  return Number(text)
}
