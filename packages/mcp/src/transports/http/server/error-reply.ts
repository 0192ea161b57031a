import { InvalidRequest, RpcError, toWire } from '../../../wire/errors.ts'
import { writeMessage } from '../../../wire/write-message.ts'
import { jsonHeaders } from '../headers.ts'
import { HttpRefusal } from './refusals.ts'
import type { HttpReply } from './request-reply.ts'

/** Answers a refused request with a protocol error; `false` for an unexpected error, which must be logged. */
export function replyWithError(error: unknown, reply: HttpReply): boolean {
  const { status, headers } =
    error instanceof HttpRefusal ? error : { status: error instanceof RpcError ? 400 : 500, headers: {} }
  const told = error instanceof HttpRefusal ? new RpcError(InvalidRequest, error.message) : error
  reply.whole(
    status,
    { ...jsonHeaders, ...headers },
    writeMessage({ jsonrpc: '2.0', error: toWire(told), ...idOf(error) }),
  )
  return told instanceof RpcError
}

// a malformed message may still have a readable id
function idOf(error: unknown): { readonly id?: string | number } {
  return error instanceof RpcError && 'id' in error && error.id !== undefined ? { id: error.id as string | number } : {}
}
