import { McpError } from '../wire/errors.ts'
import { Context, requestOf } from './context.ts'
import type { ServerPart } from './extension.ts'

type Members = NonNullable<ServerPart['context']>

/** The class of contexts with the members of extensions. It is made once for a server, so they cost a call nothing. */
export function extendedContext(added: readonly Members[]): typeof Context {
  if (added.length === 0) return Context
  class ExtendedContext extends Context {}
  for (const [name, make] of added.flatMap((members) => Object.entries(members))) {
    if (name in ExtendedContext.prototype)
      throw new McpError('Misuse', `Cannot enable an extension: the context has a member "${name}" already`)
    Object.defineProperty(ExtendedContext.prototype, name, {
      get(this: Context) {
        return make(requestOf(this))
      },
    })
  }
  return ExtendedContext
}
