import type { ClientCapabilities, ServerCapabilities } from '../model/input.ts'
import { type Fields, isObject } from '../wire/messages.ts'
import { pick } from './encode-result.ts'
import type { Facts } from './revision-facts.ts'

/** The client capability a question needs. */
export function neededFor(method: string, params: Fields): ClientCapabilities {
  switch (method) {
    case 'sampling/createMessage':
      return { sampling: params.tools || params.toolChoice ? { tools: {} } : {} }
    case 'elicitation/create':
      return { elicitation: params.mode === 'url' ? { url: {} } : { form: {} } }
    default:
      return { roots: {} }
  }
}

/** Whether everything needed was declared; an elicitation capability without modes means forms. */
export function declares(declared: ClientCapabilities, needed: ClientCapabilities): boolean {
  return Object.entries(needed).every(([name, parts]) => {
    const own = (declared as Fields)[name]
    if (!isObject(own)) return false
    if (name === 'elicitation' && parts.form && !own.url) return true
    return Object.keys(parts).every((part) => isObject(own[part]))
  })
}

/** What a server declares, in the words of a revision. */
export function encodeServerCapabilities(capabilities: ServerCapabilities, facts: Facts): Fields {
  return {
    ...pick(capabilities as Fields, facts.vocabulary.types, 'ServerCapabilities'),
    ...encodeExtensions(capabilities, facts),
  }
}

/** What a client declares, in the words of a revision; where a capability has no parts yet, it is just there. */
export function encodeClientCapabilities(capabilities: ClientCapabilities, facts: Facts): Fields {
  const { sampling, elicitation, roots, ...known } = pick(
    capabilities as Fields,
    facts.vocabulary.types,
    'ClientCapabilities',
  )
  const tellsRoots = facts.vocabulary.client.notifications.has('notifications/roots/list_changed')
  return {
    ...known,
    ...(roots !== undefined && { roots: tellsRoots ? roots : {} }),
    ...(sampling !== undefined && { sampling: facts.manyContents ? sampling : {} }),
    ...encodeExtensions(capabilities, facts),
    ...encodeElicitation(elicitation as ClientCapabilities['elicitation'], facts),
  }
}

/** What is said of the extensions that are spoken in a revision, whether its text has a place for them or not. */
function encodeExtensions({ extensions = {} }: ClientCapabilities | ServerCapabilities, facts: Facts): Fields {
  const spoken = facts.extensions?.filter(({ id }) => extensions[id] !== undefined) ?? []
  if (spoken.length === 0) return {}
  return { extensions: Object.fromEntries(spoken.map(({ id }) => [id, extensions[id]])) }
}

/** Where forms are all there is, a client that has none cannot be asked at all. */
function encodeElicitation(elicitation: ClientCapabilities['elicitation'], { visits }: Facts): Fields {
  if (elicitation === undefined) return {}
  if (visits !== 'none') return { elicitation }
  return elicitation.form || !elicitation.url ? { elicitation: {} } : {}
}
