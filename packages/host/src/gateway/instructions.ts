import { type ServerKey, serverNameOf } from '../act/server-key.ts'
import type { ServerName } from '../act/server-name.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { isInUse, type View } from './view.ts'

/** Characters of instructions that are shown together; those of a server that does not fit are left out. */
const maxTogether = 20_000

/**
 * The accepted instructions of the servers of a view; undefined if there are none. At an address of one server that is
 * its own text, else each stands under the name of its server.
 */
export function instructionsOf(view: View, catalogue: Catalogue): string | undefined {
  const servers = view.servers().filter((server) => !view.hidden?.has(server))
  const said = acceptedInstructions(servers, catalogue)
  const description = view.description?.()
  if (said.length === 0) return description
  if (view.naming === 'shown') return said[0]?.text
  let left = maxTogether
  const parts = said
    .map(({ server, text }) => `[server ${server}]\n${text}`)
    .filter((part) => {
      const fits = part.length <= left
      if (fits) left -= part.length
      return fits
    })
  const all = [...(description === undefined ? [] : [description]), ...parts]
  return all.length === 0 ? undefined : all.join('\n\n')
}

/** The accepted instructions of these servers, with their names. */
export function acceptedInstructions(
  servers: readonly ServerKey[],
  catalogue: Catalogue,
): readonly { readonly server: ServerName; readonly text: string }[] {
  return servers.flatMap((key) => {
    const entry = catalogue.find(key, 'instructions', 'instructions')
    return entry && isInUse(entry) ? [{ server: serverNameOf(key), text: String(entry.definition.text) }] : []
  })
}
