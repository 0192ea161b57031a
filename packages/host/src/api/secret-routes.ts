import { z } from 'zod'
import { isSignIn, listSecrets } from '../config/secrets/secret-uses.ts'
import { ApiError } from './api-error.ts'
import { recordChange } from './record-change.ts'
import { done, route } from './route.ts'
import * as s from './schemas.ts'
import type { ApiServices } from './services.ts'

/** Routes of the secrets that the configuration refers to; no answer holds a value. */
export const secretRoutes = {
  secrets: route({
    method: 'GET',
    path: '/api/secrets',
    needs: 'nothing',
    says: 'The names of the secrets that are kept or referred to, and where each is used',
    answer: s.list(
      z.object({
        name: z.string(),
        isKept: z.boolean().describe('False if it is referred to and missing'),
        uses: z.array(z.string()).describe('Servers by name, models as "model NAME"'),
      }),
    ),
    async handle(_input, services) {
      return { items: (await listed(services)).map(({ uses, ...secret }) => ({ ...secret, uses: [...uses] })) }
    },
  }),
  setSecret: route({
    method: 'POST',
    path: '/api/secrets/{name}',
    needs: 'person',
    says: 'Keeps a secret; a server that waits for it goes on',
    body: z.strictObject({ value: z.string() }),
    answer: z.object({ isReplaced: z.boolean() }),
    async handle({ name, value }, { host, secrets, places, applyFiles }, context) {
      refuseSignIn(name)
      const isReplaced = (await secrets.names()).includes(name)
      await secrets.set(name, value).catch((error: Error) => {
        throw new ApiError(400, error.message)
      })
      await recordChange(host, context, { outcome: 'secret set', why: name })
      await applyFiles(places.secretsFile)
      return { isReplaced }
    },
  }),
  removeSecret: route({
    method: 'DELETE',
    path: '/api/secrets/{name}',
    needs: 'person',
    says: 'Forgets a secret',
    answer: s.confirmation,
    async handle({ name }, { host, secrets, places, applyFiles }, context) {
      refuseSignIn(name)
      if (!(await secrets.names()).includes(name)) throw new ApiError(404, `There is no secret "${name}"`)
      await secrets.remove(name)
      await recordChange(host, context, { outcome: 'secret removed', why: name })
      await applyFiles(places.secretsFile)
      return done
    },
  }),
}

async function listed({ config, directory, secrets }: ApiServices) {
  return listSecrets(await config.effective(directory), await secrets.names())
}

function refuseSignIn(name: string): void {
  if (isSignIn(name)) throw new ApiError(400, `Cannot change "${name}": what signs you in is kept by "trunkline login"`)
}
