import type { ServerRequest } from '../../../dialects/dialect.ts'
import { link, text } from '../../../server/content.ts'
import { type Reply, reply } from '../../../server/tool-reply.ts'
import { McpError } from '../../../wire/errors.ts'
import type { Fields } from '../../../wire/messages.ts'
import type { Spilled } from '../spilled.ts'
import { type ResultTerms, resultTermsOf, type Want, withResultTerms } from '../terms.ts'
import type { SpillOutcome, SpillSource, Spills } from './spills.ts'
import { asWanted, cutToBytes, weigh } from './want.ts'

/** Options of `ctx.spill`. */
export interface SpillOptions {
  /** @default 'text/plain' for UTF-8, else 'application/octet-stream' */
  readonly mimeType?: string
}

/** The reply to a call whose handler gave a source: all of it where it is small, else its head, its tail and a link. */
export async function replyFrom(
  spills: Spills | undefined,
  source: SpillSource,
  { request, mimeType, told }: { request: ServerRequest; mimeType: string | undefined; told(terms: ResultTerms): void },
): Promise<Reply> {
  if (!spills) throw new McpError('Misuse', 'Cannot spill a result: enable it with contract({ spill: true })')
  const { caller, incoming } = request
  const kept = await spills.keep(source, { caller, signal: incoming.signal, mimeType })
  if (kept.whole !== undefined) return reply(kept.whole)
  told({ spilled: kept.spilled })
  return reply(contentOf(kept))
}

function contentOf({ spilled, ends, isText }: Extract<SpillOutcome, { spilled: Spilled }>) {
  if (!isText) return [text(noteOn(spilled)), linkTo(spilled)]
  return [text(ends.head), text(noteOn(spilled)), text(ends.tail), linkTo(spilled)]
}

/** A result that fits: as wanted, and where it is too large with a link to all of it. */
export async function fitted(
  spills: Spills | undefined,
  result: Fields,
  { request, want }: { readonly request: ServerRequest; readonly want: Want | undefined },
): Promise<Fields> {
  const wanted = want ? asWanted(result, want) : result
  const isCut = resultTermsOf(wanted)?.leftOut?.isCut === true
  if (!spills || resultTermsOf(result)?.spilled || (!isCut && weigh(wanted) <= spills.maxResultBytes)) return wanted
  const spilled = await keptWhole(spills, result, request)
  if (isCut) return spilled ? withResultTerms(wanted, { spilled }) : wanted
  const shown = cutToBytes(wanted, spills.maxTextBytes)
  if (!spilled) return withResultTerms(shown, { leftOut: { bytes: weigh(result), isCut: true } })
  const content = [...(shown.content as readonly Fields[]), text(noteOn(spilled)), linkTo(spilled)]
  return withResultTerms({ ...shown, content }, { spilled })
}

/** Keeps a whole result; undefined where there is no room, since its beginning and end can still be answered with. */
async function keptWhole(
  spills: Spills,
  result: Fields,
  { caller, incoming }: ServerRequest,
): Promise<Spilled | undefined> {
  const { source, mimeType } = wholeOf(result)
  try {
    return await spills.keepText(source, { caller, signal: incoming.signal, mimeType })
  } catch (error) {
    if (error instanceof McpError && error.code === 'TooMany') return undefined
    throw error
  }
}

/** A result of one text is that text; any other is what it is on the wire. */
function wholeOf({ content, structuredContent }: Fields): { source: string; mimeType?: string } {
  const blocks = content as readonly Fields[]
  const [only] = blocks
  if (blocks.length === 1 && only?.type === 'text' && structuredContent === undefined)
    return { source: String(only.text) }
  return { source: JSON.stringify({ content, structuredContent }), mimeType: 'application/json' }
}

function noteOn({ uri, bytes, expiresAt }: Spilled): string {
  return `[All ${bytes} bytes are the resource ${uri} until ${expiresAt}. Add ?lines=1-200 or ?bytes=0-65535 to read a part, ?search=text to find one]`
}

function linkTo({ uri, bytes, mimeType }: Spilled) {
  return link({ uri, name: 'the whole result', mimeType, size: bytes })
}
