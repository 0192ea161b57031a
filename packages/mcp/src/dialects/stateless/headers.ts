import { argumentAt, type HeaderParam } from '../../model/header-params.ts'
import type { Incoming } from '../../rpc/incoming.ts'
import { HeaderMismatch, RpcError } from '../../wire/errors.ts'
import { claimedRevision } from './request-meta.ts'

/** The names of the headers that repeat a part of the body. */
export const headerNames = {
  version: 'mcp-protocol-version',
  method: 'mcp-method',
  name: 'mcp-name',
  param: 'mcp-param-',
} as const

/** Refuses a request whose header and body name different revisions. */
export function checkVersionHeader({ params, sender }: Incoming): void {
  if (sender?.headers) expect(sender.headers.get(headerNames.version), claimedRevision(params), headerNames.version)
}

/** Refuses a request whose headers contradict its body, because a proxy may have decided by the headers. */
export function checkHeaders({ method, params, sender }: Incoming, named: string | undefined): void {
  const headers = sender?.headers
  if (!headers) return
  expect(headers.get(headerNames.method), method, headerNames.method)
  if (named) expect(decoded(headers.get(headerNames.name), headerNames.name), params[named], headerNames.name)
}

/** Refuses a tool call whose header parameters contradict its arguments. */
export function checkParamHeaders({ params, sender }: Incoming, declared: readonly HeaderParam[]): void {
  const headers = sender?.headers
  if (!headers) return
  for (const { name, path } of declared) {
    const header = headerNames.param + name.toLowerCase()
    const value = argumentAt(params.arguments, path)
    if (value === undefined || value === null) continue
    const told = decoded(headers.get(header), header)
    // 1 and 1.0 are the same number
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

/** Decodes the value of a header. */
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

/** Encodes a value for a header: plain where that is safe, base64 where it is not. */
export function encodeHeader(value: string): string {
  if (
    /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$|^$/.test(value) &&
    !(value.startsWith(opening) && value.endsWith(closing))
  )
    return value
  const binary = Array.from(new TextEncoder().encode(value), (byte) => String.fromCharCode(byte)).join('')
  return `${opening}${btoa(binary)}${closing}`
}
