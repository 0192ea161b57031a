import type { Fields, Interceptor } from '@trunkline/mcp'
import { serverNameOf } from '../act/server-key.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { howToRead, LargeResult, maxContentBytesOf, type ResultLimits } from '../relay/spills/large-result.ts'
import { wholeOf } from '../relay/spills/read-range.ts'
import { bytesOver } from '../relay/spills/result-size.ts'
import { spillUri } from '../relay/spills/spill-parts.ts'
import { headOf, tailOf, textOf } from '../relay/spills/spill-text.ts'
import type { Spill, Spills } from '../relay/spills/spills.ts'
import { keepsContract } from '../relay/terms/terms-upstream.ts'
import { contractKey } from '../servers/contract-key.ts'

import type { ActHandler, Doing } from './doing.ts'

export interface KeepLargeParts extends ResultLimits {
  readonly spills: Spills
  readonly catalogue: Catalogue
}

/** Shown of a large result, unless the limit itself is smaller than that. */
const headBytes = 8 * 1024
const tailBytes = 4 * 1024

interface Size {
  readonly bytes: number
  readonly maxBytes: number
}

/**
 * Keeps a tool's result aside when it is larger than the limit of its server; the caller gets its beginning, its end and a
 * link. Contents of resources and prompts have no shape for that: the caller gets an error that says how to read them
 * in parts. Every other result passes as it is.
 */
export function keepLarge(parts: KeepLargeParts): Interceptor<ActHandler> {
  const passed = (doing: Doing, result: Fields): Fields | Promise<Fields> => {
    const maxBytes = parts.maxResultBytes(doing.act.serverKey, doing.act.project)
    const bytes = bytesOver(result, maxBytes)
    return bytes === undefined ? result : keptAside(doing, result, { bytes, maxBytes }, parts)
  }
  const passedContents = (doing: Doing, result: Fields): Fields | Promise<Fields> => {
    const maxBytes = maxContentBytesOf(parts, [doing.act.serverKey, doing.act.project])
    const bytes = bytesOver(result, maxBytes)
    return bytes === undefined
      ? result
      : keptContents(doing, result, { size: { bytes, maxBytes }, spills: parts.spills })
  }
  return (next) => (doing) => {
    const { kind } = doing.act
    if (kind === 'call') return next(doing).then((result) => passed(doing, result))
    const hasContents = kind === 'read' || kind === 'skill' || kind === 'prompt'
    return hasContents ? next(doing).then((result) => passedContents(doing, result)) : next(doing)
  }
}

async function keptContents(
  { act, params }: Doing,
  result: Fields,
  { size, spills }: { readonly size: Size; readonly spills: Spills },
): Promise<never> {
  const { serverKey: server, principal, kind } = act
  const target = kind === 'prompt' ? act.target : String(params.uri)
  const kept = await spills.keep(principal.id, { server, target, result }).catch((error: Error) => error)
  const what = `${kind === 'prompt' ? 'prompt' : 'resource'} "${target}"`
  throw new LargeResult(what, size, { where: whereItIs(kept), ...(isKept(kept) && { id: kept.id }) })
}

async function keptAside(
  { act, call, entry }: Doing,
  result: Fields,
  size: Size,
  { spills }: KeepLargeParts,
): Promise<Fields> {
  const { serverKey: server, target, principal } = act
  const kept = await spills.keep(principal.id, { server, target, result }).catch((error: Error) => error)
  const text = textOf({ id: kept && 'id' in kept ? kept.id : '', result })
  const head = headOf(text, Math.min(headBytes, Math.floor(size.maxBytes / 4)))
  const tail = tailOf(text.slice(head.length), Math.min(tailBytes, Math.floor(size.maxBytes / 8)))
  const hasSchema = entry?.definition.outputSchema !== undefined
  const said = `The result of "${target}" has ${size.bytes} bytes, more than the ${size.maxBytes} that are passed on.`
  const where = whereItIs(kept)
  return {
    content: [
      { type: 'text', text: `${said} ${where} Its beginning and its end follow.` },
      { type: 'text', text: head },
      { type: 'text', text: tail },
      ...(isKept(kept) ? [linkTo(kept, size.bytes)] : []),
    ],
    // the shortened result does not fit the output schema, and must not be taken for one that does
    ...((hasSchema || result.isError === true) && { isError: true }),
    _meta: {
      ...smallMeta(result._meta as Fields | undefined),
      'dev.trunkline/large-result': { bytes: size.bytes, ...(isKept(kept) && { id: kept.id }) },
      ...(isKept(kept) && keepsContract(call.caller) && spilledTerms(kept, result, spills.limits.maxAgeMs)),
    },
  }
}

/** The `_meta` of a result goes on with it, unless it is what makes the result large. */
function smallMeta(meta: Fields = {}): Fields {
  return bytesOver(meta, tailBytes) === undefined ? meta : {}
}

/** Location of the whole result, for callers that keep the contract: they read it by ranges, as at a server. */
function spilledTerms({ id, at }: Spill, { _meta, ...result }: Fields, maxAgeMs: number): Fields {
  const { bytes, mimeType } = wholeOf(result)
  const expiresAt = new Date(at + maxAgeMs).toISOString()
  const spilled = { uri: spillUri(id), bytes: bytes.length, mimeType, expiresAt }
  return { [contractKey]: { ...((_meta as Fields | undefined)?.[contractKey] as Fields | undefined), spilled } }
}

function whereItIs(kept: Spill | Error | undefined): string {
  if (kept === undefined) return 'It is too large to be kept.'
  if (!isKept(kept)) return `It could not be kept: ${kept.message}.`
  return `It is kept for a while as result "${kept.id}". ${howToRead(kept.id)}.`
}

function isKept(kept: Spill | Error | undefined): kept is Spill {
  return kept !== undefined && !(kept instanceof Error)
}

function linkTo({ id, server, target }: Spill, size: number): Fields {
  const description = `The whole result of "${target}" of server "${serverNameOf(server)}"`
  return { type: 'resource_link', uri: spillUri(id), name: `result ${id}`, description, size }
}
