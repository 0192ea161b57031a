import {
  BadEnvelope,
  HeaderMismatch,
  InvalidRequest,
  MethodNotFound,
  MissingClientCapability,
  ParseError,
  RpcError,
  UnsupportedVersion,
} from '../wire/errors.ts'
import type { Fields } from '../wire/messages.ts'
import { claimed } from './stateless/envelope.ts'

export { encodeHeader, headerNames } from './stateless/headers.ts'

/** Whether a request says for itself who is calling, so that it needs no session. */
export function explainsItself(params: Fields | undefined): boolean {
  return params !== undefined && claimed(params) !== undefined
}

const statuses: ReadonlyMap<number, number> = new Map([
  [ParseError, 400],
  [InvalidRequest, 400],
  [HeaderMismatch, 400],
  [MissingClientCapability, 400],
  [UnsupportedVersion, 400],
  [MethodNotFound, 404],
])

/** The status of a refused request; what a handler refuses is an ordinary answer. */
export function statusOf(error: unknown): number {
  if (!(error instanceof RpcError)) return 200
  return error instanceof BadEnvelope ? 400 : (statuses.get(error.code) ?? 200)
}
