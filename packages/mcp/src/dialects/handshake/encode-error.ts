import {
  BadArguments,
  InvalidRequest,
  MissingClientCapability,
  RpcError,
  UrlElicitationRequired,
} from '../../wire/errors.ts'
import type { Fields } from '../../wire/messages.ts'
import { failedTool } from '../failed-tool.ts'
import type { Facts } from '../revision-facts.ts'

/** Throws an error with the numbers these revisions have. */
export function encodeError(error: unknown, method: string, { visits, badArguments }: Facts): Fields {
  if (!(error instanceof RpcError)) throw error
  if (error instanceof BadArguments && badArguments === 'result') return failedTool(error.message)
  if (error.code === MissingClientCapability) {
    // there is no number for it here, and a model can make more of a failed tool than of a broken protocol
    if (method === 'tools/call') return failedTool(error.message)
    throw new RpcError(InvalidRequest, error.message, error.data)
  }
  if (error.code === UrlElicitationRequired && visits !== 'identified')
    throw new RpcError(InvalidRequest, error.message)
  throw error
}
