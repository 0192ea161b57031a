import type { InputRequired, ServerRequest } from '../dialects/dialect.ts'
import { InvalidParams, RpcError } from '../wire/errors.ts'
import type { Fields } from '../wire/messages.ts'
import type { Offer, Registry } from './registry.ts'
import { checkScopes } from './scopes.ts'

/** One use of something that is asked for by name. */
export interface NamedRequest<Entry> {
  readonly entry: Entry
  readonly name: string
  /** The arguments, as they were sent. */
  readonly given: Fields
  readonly request: ServerRequest
}

/** Serves requests for something by its name: finds it, wherever it is mounted, and lets in whoever has the scopes for it. */
export function serveNamed<Entry extends Offer>(
  registry: Registry<Entry>,
  [verb, kind]: readonly [verb: string, kind: string],
  run: (use: NamedRequest<Entry>) => Promise<Fields> | Fields,
) {
  return (request: ServerRequest): Promise<Fields | InputRequired> | Fields | InputRequired => {
    const { name, arguments: given = {} } = request.params as { name: string; arguments?: Fields }
    const found = registry.find(name, request.caller)
    if (!found)
      throw new RpcError(InvalidParams, `Cannot ${verb} ${kind} "${name}": no such ${kind}`, { field: 'name' })
    if (found.home) return found.home({ ...request, params: { ...request.params, name: found.name } })
    checkScopes(found.item, request)
    return request.input.guard(run({ entry: found.item, name, given, request }))
  }
}
