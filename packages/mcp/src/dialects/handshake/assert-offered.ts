import { MethodNotFound, RpcError } from '../../wire/errors.ts'
import type { Conversation } from '../dialect.ts'

/** Refuses a method before `initialize`, and one that the server does not offer. */
export function assertOffered({ caller }: Conversation, offered: boolean, method: string): void {
  if (caller && offered) return
  throw new RpcError(
    MethodNotFound,
    `Cannot serve "${method}": ${caller ? 'this server does not offer it' : '"initialize" was not called'}`,
  )
}
