import type { Asking } from '../dialects/dialect.ts'
import { InvalidRequest, RpcError } from '../wire/errors.ts'
import type { Offer } from './registry.ts'

/** Refuses a request when the caller lacks scopes of the offer; without authorization nothing is refused. */
export function checkScopes({ scopes: needed }: Offer, { method, caller, incoming }: Asking): void {
  const { scopes } = caller
  if (needed === undefined || scopes === undefined || needed.every((scope) => scopes.includes(scope))) return
  incoming.sender?.demandScopes?.(needed)
  throw new RpcError(InvalidRequest, `Cannot serve "${method}": this requires the scopes "${needed.join(' ')}"`, {
    scopes: needed,
  })
}
