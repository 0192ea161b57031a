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
  makeClientCode: route({
    method: 'POST',
    path: '/api/clients/{name}/code',
    needs: 'person',
    says: 'Shows a code in the terminal with which a page can give a program a token',
    answer: z.object({ expiresAt: z.number() }),
    handle({ name }, { codes, showCode }) {
      refuseClientName(name)
      if (!showCode) {
        const instead = `run "trunkline clients add ${name}" in a terminal`
        throw new ApiError(409, `This host has no terminal that could show a code: ${instead}`)
      }
      const made = codes.make(tokenOf(name), tokenOf(name))
      showCode({ ...made, client: name })
      return { expiresAt: made.expiresAt }
    },
  }),
  createClient: route({
    method: 'POST',
    path: '/api/clients/{name}',
    needs: 'person',
    says: 'Gives a program a token, with a code that the terminal shows; one of the same name loses its own',
    body: z.strictObject({ code: z.string() }),
    answer: z.object({ token: z.string() }),
    async handle({ name, code }, { host, codes }, context) {
      refuseClientName(name)
      if (!codes.spend(tokenOf(name), tokenOf(name), code)) {
        throw new ApiError(403, 'This is not the code that the terminal shows, or it is too old; make another')
      }
      await recordChange(host, context, { principal: name, outcome: 'added' })
      const { token } = await host.principals.make({ name, isApprover: false })
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

/** Subject of a code for a token; no server has such a name. */
function tokenOf(client: string): string {
  return `token of ${client}`
}
