import type { ReadContext } from '../../../server/context.ts'
import type { ReadOutput } from '../../../server/definitions.ts'
import type { ServerHost } from '../../../server/extension.ts'
import { base64 } from '../../../wire/base64.ts'
import { InvalidParams, ResourceNotFound, RpcError } from '../../../wire/errors.ts'
import { spilledTemplate } from '../spilled.ts'
import { readKeptLines, searchKept } from './spill-reader.ts'
import type { Spills } from './spills.ts'

/** Offers what was too large to answer with: by bytes, by lines, and to be searched. */
export function offerSpills({ offers }: ServerHost, spills: Spills, maxReadBytes: number): void {
  offers.template(
    spilledTemplate,
    {
      name: 'results',
      description:
        'A result that was too large to answer with. bytes=0-65535 and lines=1-200 are ranges; search=text finds a text',
    },
    (variables, ctx) => read(variables, { spills, maxReadBytes, ctx }),
  )
}

interface Reading {
  readonly spills: Spills
  readonly maxReadBytes: number
  readonly ctx: ReadContext
}

async function read(variables: { readonly [name: string]: string }, reading: Reading): Promise<ReadOutput> {
  const { id = '', bytes, lines, search, after } = variables
  const { spills, maxReadBytes, ctx } = reading
  const kept = spills.find(id, ctx.caller)
  if (!kept)
    throw new RpcError(ResourceNotFound, `Cannot read "${ctx.uri}": no such result, or it is no longer kept`, {
      uri: ctx.uri,
    })
  const { mimeType } = kept
  const address = { uri: ctx.uri, mimeType }
  if (bytes) {
    const [from, to] = rangeOf('bytes', bytes, 0)
    return { ...address, blob: base64(await kept.file.read(from, Math.min(to + 1, from + maxReadBytes))) }
  }
  if (lines) {
    const [first, last] = rangeOf('lines', lines, 1)
    return { ...address, text: decoded(await readKeptLines(kept, { first, last }, maxReadBytes)) }
  }
  if (search) {
    const from = after ? numberOf('after', after) : 0
    const found = await searchKept(kept, search, Math.min(from, kept.size), ctx.signal)
    return { uri: ctx.uri, mimeType: 'application/json', text: JSON.stringify(found) }
  }
  const whole = await kept.file.read(0, maxReadBytes)
  return kept.isText ? { ...address, text: decoded(whole) } : { ...address, blob: base64(whole) }
}

function rangeOf(name: string, text: string, least: number): readonly [number, number] {
  const [, from, to] = /^(\d{1,15})-(\d{1,15})$/.exec(text) ?? []
  if (from === undefined || to === undefined || Number(from) < least || Number(to) < Number(from))
    throw wrong(name, text, `must be a range such as ${name}=${least}-${least + 99}`)
  return [Number(from), Number(to)]
}

function numberOf(name: string, text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw wrong(name, text, 'must be the number of a byte')
  return Number(text)
}

function wrong(name: string, text: string, problem: string): RpcError {
  const shown = JSON.stringify(text.slice(0, 80))
  return new RpcError(InvalidParams, `Cannot read the result: "${name}" ${problem}, not ${shown}`, { field: name })
}

const decoded = (bytes: Uint8Array): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
