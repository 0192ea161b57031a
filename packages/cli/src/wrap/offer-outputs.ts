import type { Server } from '@trunkline/mcp'
import { decodeOutput } from './decode-output.ts'
import type { KeptOutputs } from './kept-outputs.ts'

const mostBytes = 1_048_576

/** Lets callers read what was too long for a result, all of it or a range of bytes. */
export function offerOutputs(wrapped: Server, outputs: KeptOutputs): void {
  const definition = {
    name: 'output',
    description: `What a program wrote, beyond what its result carries; at most ${mostBytes} bytes at once, from the byte "from"`,
  }
  wrapped.template(
    'wrap://output/{id}{?from,bytes}',
    definition,
    ({ id, from = '0', bytes = `${mostBytes}` }, { uri }) => {
      const range = [from, bytes].map(Number)
      const [begin = 0, count = 0] = range
      if (!range.every((number) => Number.isSafeInteger(number) && number >= 0))
        throw new Error(`Cannot read "${uri}": from and bytes are whole numbers`)
      const part = outputs.read(id, begin, Math.min(count, mostBytes))
      if (part === undefined) throw new Error(`Cannot read "${uri}": it is not kept any more`)
      const decoded = decodeOutput(part.bytes, true)
      const end = begin + part.bytes.length
      const meta = { 'dev.trunkline/range': { from: begin, to: end, total: part.total } }
      if (decoded.kind === 'text')
        return { contents: [{ uri, mimeType: 'text/plain', text: decoded.text, _meta: meta }] }
      const blob = Buffer.from(part.bytes).toString('base64')
      return { contents: [{ uri, mimeType: decoded.mimeType, blob, _meta: meta }] }
    },
  )
}
