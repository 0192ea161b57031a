import type { ClientCapabilities } from '../model/input.ts'
import type { ServerCapabilities } from '../model/types.ts'
import type { Fields } from '../wire/messages.ts'
import { pick } from './encode-result.ts'
import type { Facts } from './revision-facts.ts'

/** Encodes the capabilities of a server for a revision. */
export function encodeServerCapabilities(capabilities: ServerCapabilities, facts: Facts): Fields {
  return {
    ...pick(capabilities as Fields, facts.vocabulary.types, 'ServerCapabilities'),
    ...encodeExtensions(capabilities, facts),
  }
}

/** Encodes the capabilities of a client for a revision; parts that the revision does not know are left out. */
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

/** The settings of the extensions that the revision supports. */
function encodeExtensions({ extensions = {} }: ClientCapabilities | ServerCapabilities, facts: Facts): Fields {
  const spoken = facts.extensions?.filter(({ id }) => extensions[id] !== undefined) ?? []
  if (spoken.length === 0) return {}
  return { extensions: Object.fromEntries(spoken.map(({ id }) => [id, extensions[id]])) }
}

/** In revisions with forms only, a client without forms has no elicitation. */
function encodeElicitation(elicitation: ClientCapabilities['elicitation'], { visits }: Facts): Fields {
  if (elicitation === undefined) return {}
  if (visits !== 'none') return { elicitation }
  return elicitation.form || !elicitation.url ? { elicitation: {} } : {}
}
