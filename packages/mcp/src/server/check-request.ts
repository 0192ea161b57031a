import type { Dialect } from '../dialects/dialect.ts'
import type { Incoming } from '../rpc/incoming.ts'
import { BadRequestMeta, InvalidParams, MethodNotFound, RpcError } from '../wire/errors.ts'

/** Refuses a method that the revision does not have, and params that do not fit its vocabulary. */
export function checkRequest({ method, params }: Incoming, { vocabulary, revision }: Dialect): void {
  const exchange = vocabulary.client.requests.get(method)
  if (!exchange) throw new RpcError(MethodNotFound, `Method not found: "${method}" is not in revision ${revision}`)
  const problem = exchange.params.check(params)
  if (!problem) return
  const field = problem.path === '' ? 'params' : `params.${problem.path}`
  const message = `Cannot serve "${method}": ${field} ${problem.message}`
  if (problem.path.startsWith('_meta')) throw new BadRequestMeta(message, { field })
  throw new RpcError(InvalidParams, message, { field })
}
