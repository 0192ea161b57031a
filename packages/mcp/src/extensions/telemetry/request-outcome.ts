import type { Attributes } from '@opentelemetry/api'
import { McpError, RpcError } from '../../wire/errors.ts'

/** The outcome of a request as attributes; empty for success. */
export interface RequestOutcome {
  readonly attributes: Attributes
  /** The error message that was sent to the other side. */
  readonly message?: string
  /** True if the request was refused, so that the names in it may not exist. */
  readonly isRefused: boolean
}

const well: RequestOutcome = { attributes: {}, isRefused: false }

/** The outcome of a result: `isError` counts as a tool error. */
export function outcomeOfResult(result: object): RequestOutcome {
  return 'isError' in result && result.isError === true ? failed('tool_error') : well
}

/** The outcome of a cancelled request. */
export const cancelled: RequestOutcome = failed('cancelled')

/** The outcome of an error, without internal details. */
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
