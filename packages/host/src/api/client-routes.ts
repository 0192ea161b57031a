import { z } from 'zod'
import { refuseClientName } from '../gateway/principals/principals.ts'
import { ApiError } from './api-error.ts'
import { recordChange } from './record-change.ts'
import { done, route } from './route.ts'
import * as s from './schemas.ts'

/** Routes of the clients that have a token. */
export const clientRoutes = {
  clients: route({
    method: 'GET',
    path: '/api/clients',
    needs: 'nothing',
    says: 'The programs that have a token, and the names of those that were revoked',
    answer: z.object({ items: z.array(s.client), revoked: z.array(z.string()) }),
    handle: (_input, { host }) => ({
      items: host.principals.all().map(({ id, name, isApprover, madeAt, usedAt }) => ({
        name,
        programs: host.clients.programs.of(id).map(({ path }) => path),
        isApprover,
        madeAt,
        ...(usedAt !== undefined && { usedAt }),
      })),
      revoked: [...host.principals.revoked()],
    }),
  }),
  addClient: route({
    method: 'POST',
    path: '/api/clients',
    needs: 'person',
    says: 'Gives a program a token; one of the same name loses its own',
    body: z.strictObject({ name: z.string(), isApprover: z.boolean().optional() }),
    answer: z.object({ token: z.string() }),
    async handle({ name, isApprover = false }, { host }, context) {
      refuseClientName(name)
      await recordChange(host, context, { principal: name, outcome: isApprover ? 'may approve' : 'added' })
      const { token } = await host.principals.make({ name, isApprover })
      return { token }
    },
  }),
  revoke: route({
    method: 'DELETE',
    path: '/api/clients/{name}',
    needs: 'person',
    says: 'Ends the token of a program',
    answer: s.confirmation,
    async handle({ name }, { host }, context) {
      if (!(await host.principals.revoke(name))) throw new ApiError(404, `There is no client "${name}"`)
      await recordChange(host, context, { principal: name, outcome: 'revoked' })
      return done
    },
  }),
}
