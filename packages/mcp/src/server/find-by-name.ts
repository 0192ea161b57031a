import type { InputRequired, ServerRequest } from '../dialects/dialect.ts'
import { InvalidParams, RpcError } from '../wire/errors.ts'
import type { Fields } from '../wire/messages.ts'
import type { Found, Offer, Registry } from './registry.ts'
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
  /** Refuses a request that may not run now, by throwing; a returned promise is awaited. */
  admit?(found: Found<Entry>, request: ServerRequest): Promise<void> | undefined
}

/** Serves requests for an offer by name: finds it, also on mounted servers, and checks the caller's scopes. */
export function serveByName<Entry extends Offer>(registry: Registry<Entry>, options: ByNameOptions<Entry>) {
  const { notFound, run } = options
  const serve = (name: string, found: Found<Entry>, request: ServerRequest) => {
    if (found.home) return found.home({ ...request, params: { ...request.params, name: found.name } })
    const { arguments: given = {} } = request.params as { arguments?: Fields }
    return request.input.guard(run({ entry: found.item, name, given, request }))
  }
  return (request: ServerRequest): Promise<Fields | InputRequired> | Fields | InputRequired => {
    const { name } = request.params as { name: string }
    const found = registry.find(name, request.caller)
    if (!found) throw new RpcError(InvalidParams, notFound(name), { field: 'name' })
    if (!found.home) checkScopes(found.item, request)
    const admitted = options.admit?.(found, request)
    return admitted ? admitted.then(() => serve(name, found, request)) : serve(name, found, request)
  }
}
