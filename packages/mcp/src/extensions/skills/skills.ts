import type { ClientAdds, ClientExtension } from '../../client/extension.ts'
import type { ServerExtension } from '../../server/extension.ts'
import { McpError } from '../../wire/errors.ts'
import { kindOf } from '../../wire/kind-of.ts'
import type { ClientSkillOptions } from './client/client-skill-options.ts'
import { type ClientSkills, skillClient } from './client/part.ts'
import { skillServer } from './server/part.ts'
import type { ServerSkillOptions } from './server/server-skill-options.ts'
import { skillMethods, skillsId } from './skill-entry.ts'

/** Additions of skills to a client. */
export interface SkillsOnClient extends ClientAdds {
  readonly client: { readonly skills: ClientSkills }
  // biome-ignore-start lint/complexity/noBannedTypes: nothing but the above
  readonly tools: {}
  readonly options: {}
  readonly result: {}
  // biome-ignore-end lint/complexity/noBannedTypes: nothing but the above
}

/** Skills as an extension of a client. */
export type ClientSkillsExtension = ClientExtension<SkillsOnClient>

/**
 * Skills: on a server, a directory of them (`skills('./skills')`); on a client, a way to load and verify those of a server (`skills()`).
 * @see https://agentskills.io/specification
 */
export function skills(options?: ClientSkillOptions): ClientSkillsExtension
export function skills(folder: string | URL, options?: ServerSkillOptions): ServerExtension
export function skills(
  first: string | URL | ClientSkillOptions = {},
  options: ServerSkillOptions = {},
): ServerExtension & ClientSkillsExtension {
  // spoken in every revision, as the files are resources in each
  const words = { id: skillsId, methods: skillMethods, handshake: true }
  if (typeof first === 'string' || first instanceof URL)
    return { ...words, server: (host) => skillServer(host, first, options) }
  if (typeof first !== 'object' || first === null)
    throw new McpError(
      'Misuse',
      `Cannot serve skills from ${kindOf(first)}: name a directory, as in skills('./skills')`,
    )
  const server = (): never => {
    throw new McpError('Misuse', "Cannot serve skills from nowhere: name a directory, as in skills('./skills')")
  }
  return { ...words, server, client: () => skillClient(first) }
}
