import type { Attributes } from '@opentelemetry/api'
import { McpError, RpcError } from '../../wire/errors.ts'

/** How a request ended; nothing at all is said of one that went well. */
export interface RequestOutcome {
  readonly attributes: Attributes
  /** What may be said about it, for it was said to the other side as well. */
  readonly message?: string
  /** Whether the request was turned away, so that what it named need not exist. */
  readonly isRefused: boolean
}

const well: RequestOutcome = { attributes: {}, isRefused: false }

/** How a request ended that has a result: a tool that fails says so in its result. */
export function outcomeOfResult(result: object): RequestOutcome {
  return 'isError' in result && result.isError === true ? failed('tool_error') : well
}

/** How a request ended that was given up before it had a result. */
export const cancelled: RequestOutcome = failed('cancelled')

/** How a request ended by an error; what only this side may know of it is left out. */
export function outcomeOfError(error: unknown): RequestOutcome {
  if (error instanceof RpcError) {
    const code = String(error.code)
    const attributes = { 'error.type': code, 'rpc.response.status_code': code }
    return { attributes, message: error.message, isRefused: true }
  }
  if (error instanceof McpError) return failed(error.code)
  return failed(error instanceof Error ? error.name : '_OTHER')
}

function failed(type: string): RequestOutcome {
  return { attributes: { 'error.type': type }, isRefused: false }
}
