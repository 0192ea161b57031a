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

/** Rethrows an error with the error codes of these revisions, or returns a failed tool result. */
export function encodeError(error: unknown, method: string, { visits, badArguments }: Facts): Fields {
  if (!(error instanceof RpcError)) throw error
  if (error instanceof BadArguments && badArguments === 'result') return failedTool(error.message)
  if (error.code === MissingClientCapability) {
    // these revisions have no code for it, and a model can read a failed tool result
    if (method === 'tools/call') return failedTool(error.message)
    throw new RpcError(InvalidRequest, error.message, error.data)
  }
  if (error.code === UrlElicitationRequired && visits !== 'identified')
    throw new RpcError(InvalidRequest, error.message)
  throw error
}
