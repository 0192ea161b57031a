import { argumentAt, type HeaderParam } from '../../model/header-params.ts'
import type { Incoming } from '../../rpc/incoming.ts'
import { HeaderMismatch, RpcError } from '../../wire/errors.ts'
import { claimedRevision } from './request-meta.ts'

/** The headers that repeat a part of the body, so that intermediaries need not read it. */
export const headerNames = {
  version: 'mcp-protocol-version',
  method: 'mcp-method',
  name: 'mcp-name',
  param: 'mcp-param-',
} as const

/** Refuses a request whose header and body name different revisions, whether they are served or not. */
export function checkVersionHeader({ params, sender }: Incoming): void {
  if (sender?.headers) expect(sender.headers.get(headerNames.version), claimedRevision(params), headerNames.version)
}

/** Refuses a request whose headers and body disagree: somebody may have decided by one and we would act on the other. */
export function checkHeaders({ method, params, sender }: Incoming, named: string | undefined): void {
  const headers = sender?.headers
  if (!headers) return
  expect(headers.get(headerNames.method), method, headerNames.method)
  if (named) expect(decoded(headers.get(headerNames.name), headerNames.name), params[named], headerNames.name)
}

/** Refuses a tool call whose arguments and headers disagree. */
export function checkParamHeaders({ params, sender }: Incoming, declared: readonly HeaderParam[]): void {
  const headers = sender?.headers
  if (!headers) return
  for (const { name, path } of declared) {
    const header = headerNames.param + name.toLowerCase()
    const value = argumentAt(params.arguments, path)
    if (value === undefined || value === null) continue
    const told = decoded(headers.get(header), header)
    // a whole number may have a fraction of nothing
    if (typeof value === 'number' && told !== null && /^-?\d+(?:\.0+)?$/.test(told) && Number(told) === value) continue
    expect(told, String(value), header)
  }
}

function expect(told: string | null, meant: unknown, header: string): void {
  if (told === null) throw new RpcError(HeaderMismatch, `Header mismatch: "${header}" is missing`, { header })
  if (told !== meant)
    throw new RpcError(HeaderMismatch, `Header mismatch: "${header}" is not what the body says`, { header })
}

const opening = '=?base64?'
const closing = '?='

/** What a header says, with the wrapping undone that carries what headers cannot. */
function decoded(text: string | null, header: string): string | null {
  if (text === null) return null
  if (!text.startsWith(opening) || !text.endsWith(closing) || text.length < opening.length + closing.length) return text
  const bytes = unwrap(text.slice(opening.length, -closing.length))
  if (bytes !== undefined) return bytes
  throw new RpcError(HeaderMismatch, `Header mismatch: "${header}" is not valid base64`, { header })
}

function unwrap(base64: string): string | undefined {
  if (base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(base64)) return undefined
  try {
    const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** What a header must say so that the other side reads `value`: plain where that is safe, wrapped where it is not. */
export function encodeHeader(value: string): string {
  if (
    /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$|^$/.test(value) &&
    !(value.startsWith(opening) && value.endsWith(closing))
  )
    return value
  const binary = Array.from(new TextEncoder().encode(value), (byte) => String.fromCharCode(byte)).join('')
  return `${opening}${btoa(binary)}${closing}`
}
