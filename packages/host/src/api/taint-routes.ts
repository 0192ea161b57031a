import { z } from 'zod'
import type { Act } from '../act/act.ts'
import type { Host } from '../assembly/host.ts'
import type { Taint } from '../policy/taint.ts'
import { ApiError } from './api-error.ts'
import { recordChange } from './record-change.ts'
import { route } from './route.ts'

/** Routes of taints: data that clients have read and that keep other data from leaving unasked. */
export const taintRoutes = {
  taint: route({
    method: 'GET',
    path: '/api/taint',
    needs: 'nothing',
    says: 'Which servers clients have read from whose data must not leave unasked, and until when that counts',
    answer: z.object({
      mode: z.enum(['default', 'strict', 'off']),
      items: z.array(
        z.object({
          client: z.string(),
          project: z.string().optional(),
          server: z.string(),
          data: z.enum(['private', 'untrusted', 'private and untrusted', 'unmarked']),
          at: z.number(),
          until: z.number(),
        }),
      ),
    }),
    handle: (_input, { host }) => {
      const names = new Map(host.principals.all().map(({ id, name }) => [id, name]))
      const items = host.taints.all().map(({ principalId, project, ...source }) => ({
        client: names.get(principalId) ?? principalId,
        ...(project !== undefined && { project }),
        ...source,
      }))
      return { mode: host.taints.mode, items }
    },
  }),
  forgetTaint: route({
    method: 'POST',
    path: '/api/taint/forget',
    needs: 'person',
    says: 'Lets what a client has read, or what all have read, count no more',
    body: z.strictObject({ client: z.string().optional() }),
    answer: z.object({ removed: z.number() }),
    async handle({ client }, { host }, context) {
      const id = host.principals.all().find(({ name }) => name === client)?.id
      if (client !== undefined && id === undefined) {
        throw new ApiError(404, `There is no client "${client}"; "trunkline clients" lists them`)
      }
      await recordChange(host, context, {
        ...(client !== undefined && { principal: client }),
        outcome: 'taint forgotten',
      })
      return { removed: await host.taints.forget(id) }
    },
  }),
}

/** Taint for which an act would be asked about, in any project where its principal has read something. */
export function taintAnywhere(act: Act, { taints }: Pick<Host, 'taints'>): Taint | undefined {
  const read = taints.all().filter(({ principalId }) => principalId === act.principal.id)
  for (const project of new Set(read.map((one) => one.project))) {
    const taint = taints.of({ ...act, project })
    if (taint) return taint
  }
  return undefined
}
