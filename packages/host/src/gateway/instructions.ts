import type { Catalogue } from '../catalogue/catalogue.ts'
import { serverNameOf } from '../servers/server-key.ts'
import { isInUse, type View } from './view.ts'

/** Characters of instructions that are shown together; those of a server that does not fit are left out. */
const maxTogether = 20_000

/**
 * What the servers of a view say to a model that uses them, as it was accepted; undefined where none says anything. At
 * an address of one server that is its own text, else each stands under the name of its server.
 */
export function instructionsOf(view: View, catalogue: Catalogue): string | undefined {
  const said = view.servers().flatMap((server) => {
    const entry = catalogue.find(server, 'instructions', 'instructions')
    return entry && isInUse(entry) ? [entry] : []
  })
  if (said.length === 0) return undefined
  if (view.naming === 'shown') return String(said[0]?.definition.text)
  let left = maxTogether
  const parts = said
    .map(({ server, definition }) => `[server ${serverNameOf(server)}]\n${definition.text}`)
    .filter((part) => {
      const fits = part.length <= left
      if (fits) left -= part.length
      return fits
    })
  return parts.length === 0 ? undefined : parts.join('\n\n')
}
