import type { ClientCapabilities } from '../model/input.ts'
import { MissingClientCapability, RpcError } from '../wire/errors.ts'
import { type Fields, isObject } from '../wire/messages.ts'
import type { Caller } from './dialect.ts'
import type { Facts } from './revision-facts.ts'

/** Refuses an input request that needs a capability which the client did not declare. */
export function assertDeclared(
  method: string,
  params: Fields,
  { caller, facts }: { readonly caller: Caller; readonly facts: Facts },
): void {
  const needed = neededFor(method, params)
  if (facts.vocabulary.inputs.has(method) && declares(caller.capabilities, needed)) return
  throw new RpcError(MissingClientCapability, `Cannot ask the client: it did not declare "${nameOf(needed)}"`, {
    requiredCapabilities: needed,
  })
}

/** The client capability that an input request needs. */
function neededFor(method: string, params: Fields): ClientCapabilities {
  switch (method) {
    case 'sampling/createMessage':
      return { sampling: params.tools || params.toolChoice ? { tools: {} } : {} }
    case 'elicitation/create':
      return { elicitation: params.mode === 'url' ? { url: {} } : { form: {} } }
    default:
      return { roots: {} }
  }
}

/** True if everything needed was declared; an elicitation capability without modes means forms. */
function declares(declared: ClientCapabilities, needed: ClientCapabilities): boolean {
  return Object.entries(needed).every(([name, parts]) => {
    const own = (declared as Fields)[name]
    if (!isObject(own)) return false
    if (name === 'elicitation' && parts.form && !own.url) return true
    return Object.keys(parts).every((part) => isObject(own[part]))
  })
}

/** The name of a capability, with its part; `form` is the default part. */
function nameOf(needed: ReturnType<typeof neededFor>): string {
  const [[name, parts = {}] = ['']] = Object.entries(needed)
  return [name, ...Object.keys(parts).filter((part) => part !== 'form')].join('.')
}
