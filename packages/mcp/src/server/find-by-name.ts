import type { InputRequired, ServerRequest } from '../dialects/dialect.ts'
import { InvalidParams, RpcError } from '../wire/errors.ts'
import type { Fields } from '../wire/messages.ts'
import type { Offer, Registry } from './registry.ts'
import { checkScopes } from './scopes.ts'

/** A request for an offer by name. */
export interface NamedRequest<Entry> {
  readonly entry: Entry
  readonly name: string
  /** The arguments as they were sent. */
  readonly given: Fields
  readonly request: ServerRequest
}

export interface ByNameOptions<Entry> {
  /** The message of the error when there is nothing of that name. */
  notFound(name: string): string
  run(use: NamedRequest<Entry>): Promise<Fields> | Fields
}

/** Serves requests for an offer by name: finds it, also on mounted servers, and checks the caller's scopes. */
export function serveByName<Entry extends Offer>(registry: Registry<Entry>, { notFound, run }: ByNameOptions<Entry>) {
  return (request: ServerRequest): Promise<Fields | InputRequired> | Fields | InputRequired => {
    const { name, arguments: given = {} } = request.params as { name: string; arguments?: Fields }
    const found = registry.find(name, request.caller)
    if (!found) throw new RpcError(InvalidParams, notFound(name), { field: 'name' })
    if (found.home) return found.home({ ...request, params: { ...request.params, name: found.name } })
    checkScopes(found.item, request)
    return request.input.guard(run({ entry: found.item, name, given, request }))
  }
}
