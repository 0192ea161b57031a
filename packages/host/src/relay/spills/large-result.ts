import { RpcError } from '@trunkline/mcp'
import type { ServerKey } from '../../act/server-key.ts'
import { maxReadBytes } from './read-range.ts'
import { spillUri } from './spill-parts.ts'

/** The limit of results, as a person set it. */
export interface ResultLimits {
  /** Largest results of a server, in bytes. */
  maxResultBytes(server: ServerKey, project: string | undefined): number
}

/** Contents up to this size pass, however small the results of tools have to be; many clients take lines of 10 MiB. */
const maxContentBytes = 8 * 1024 ** 2

/** Largest contents of a resource or prompt of a server, in bytes. */
export function maxContentBytesOf(limits: ResultLimits, of: Parameters<ResultLimits['maxResultBytes']>): number {
  return Math.max(maxContentBytes, limits.maxResultBytes(...of))
}

/** Tells a caller how to read a kept result in parts. */
export function howToRead(id: string): string {
  const uri = spillUri(id)
  return `Read it with the tool read_result and this id, or as the resource ${uri}; ?bytes=0-${maxReadBytes - 1} after it reads a part`
}

/** Contents that are too large for one answer; the error says where they are read in parts. */
export class LargeResult extends RpcError {
  constructor(what: string, size: { readonly bytes: number; readonly maxBytes: number }, kept: LargeResultPlace) {
    const said = `Cannot pass on ${what} at once: it has ${size.bytes} bytes, more than the ${size.maxBytes} that are passed on`
    const { id } = kept
    super(-32603, `${said}. ${kept.where}`, {
      'dev.trunkline/large-result': { bytes: size.bytes, ...(id !== undefined && { id, uri: spillUri(id) }) },
    })
  }
}

/** Place of a large result, in a sentence, and its id if it was kept. */
export interface LargeResultPlace {
  readonly where: string
  readonly id?: string
}
