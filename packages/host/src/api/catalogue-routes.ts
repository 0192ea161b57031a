import { z } from 'zod'
import { serverNameOf } from '../act/server-key.ts'
import { ApiError } from './api-error.ts'
import { recordChange } from './record-change.ts'
import { done, route } from './route.ts'
import * as s from './schemas.ts'
import { specNamed } from './server-named.ts'
import { recentCalls, shownEntry } from './shown-entry.ts'

/** Routes of the offers of servers. */
export const catalogueRoutes = {
  catalogue: route({
    method: 'GET',
    path: '/api/catalogue',
    needs: 'nothing',
    says: 'Everything servers offer',
    answer: s.list(s.catalogueEntry),
    handle: (_input, { host }) => {
      const calls = recentCalls(host.store)
      return {
        items: host.specs.flatMap(({ name }) => host.catalogue.entries(name)).map((entry) => shownEntry(entry, calls)),
      }
    },
  }),
  changeEntry: route({
    method: 'PATCH',
    path: '/api/catalogue/{server}/{tool}',
    needs: 'person',
    says: 'Decides on the class of a tool, or hides it',
    body: z.strictObject({ class: s.toolClass.optional(), isHidden: z.boolean().optional() }),
    answer: s.confirmation,
    async handle({ server: name, tool, class: decided, isHidden }, { host }, context) {
      const server = specNamed(host, name).name
      const entry = host.catalogue.find(server, 'tool', tool)
      if (!entry) throw new ApiError(404, `There is no tool "${tool}" of server "${name}"`)
      const about = { server: serverNameOf(server), target: tool, definition: entry.hash }
      if (decided !== undefined) {
        await recordChange(host, context, { ...about, outcome: decided, why: `its class was ${entry.class}` })
        await host.catalogue.classify(server, tool, decided)
      }
      if (isHidden !== undefined) {
        await recordChange(host, context, { ...about, outcome: isHidden ? 'hidden' : 'shown' })
        await host.catalogue.hide(server, 'tool', tool, isHidden)
      }
      return done
    },
  }),
}
