import { z } from 'zod'
import type { Host } from '../assembly/host.ts'
import { algorithms, passkeyHost } from '../inbox/proof/passkey.ts'
import { proofScopes } from '../inbox/proof/proof-need.ts'
import { ApiError } from './api-error.ts'
import { refusing } from './proof-refusal.ts'
import { done, type RouteContext, route } from './route.ts'
import * as s from './schemas.ts'

const scopes = z.array(z.enum(proofScopes)).min(1)
const bytes = z.string().max(10_000).describe('In base64url')

/** Routes of proofs of the person: a PIN in a terminal, passkeys in the console. */
export const proofRoutes = {
  proof: route({
    method: 'GET',
    path: '/api/proof',
    needs: 'nothing',
    says: 'What is enrolled to prove the person, and which decisions need it',
    answer: z.object({
      state: z.enum(['none', 'enrolled', 'damaged']),
      why: z.string().optional().describe('What is damaged'),
      hasPin: z.boolean(),
      passkeys: z.array(z.object({ id: z.string(), name: z.string(), addedAt: z.number() })),
      scopes: z.array(z.enum(proofScopes)).describe('What was chosen, and what the configuration adds'),
      waitUntil: z.number().optional().describe('When the next PIN can be tried, after too many wrong ones'),
      resetAt: z.number().optional().describe('When a reset takes effect that was asked for without the proof'),
      page: z.string().optional().describe('The origin at which browsers take passkeys; missing where there is none'),
    }),
    handle: (_input, { host }) => {
      const { proof } = host
      const now = proof.current
      const { pin, passkeys } = now.state === 'enrolled' ? now.enrolled : { pin: undefined, passkeys: [] }
      const { waitUntil } = proof
      const { dueAt } = proof.reset
      const { pageOrigin: page } = proof
      return {
        state: now.state,
        ...(now.state === 'damaged' && { why: now.why }),
        hasPin: pin !== undefined,
        passkeys: passkeys.map(({ id, name, addedAt }) => ({ id, name, addedAt })),
        scopes: [...proof.scopesIn(undefined)],
        ...(waitUntil !== undefined && { waitUntil }),
        ...(dueAt !== undefined && dueAt > Date.now() && { resetAt: dueAt }),
        ...(page !== undefined && { page }),
      }
    },
  }),
  enterPin: route({
    method: 'POST',
    path: '/api/proof/enter',
    needs: 'person',
    says: 'Compares a PIN that was typed in a terminal; the right one opens this process for a while',
    body: z.strictObject({ pin: z.string().max(1_000) }),
    answer: z.object({ until: z.number() }),
    async handle({ pin }, { host }, context) {
      const to = await terminalOf(context)
      return { until: await refusing(host.proof.enterPin(pin, to)) }
    },
  }),
  setPin: route({
    method: 'POST',
    path: '/api/proof/pin',
    needs: 'person',
    says: 'Sets the PIN, or another one',
    body: z.strictObject({ pin: z.string().max(1_000), scopes: scopes.optional() }),
    answer: s.confirmation,
    async handle({ pin, scopes }, { host }, context) {
      await terminalOf(context)
      await refusing(host.proof.setPin(pin, scopes))
      return done
    },
  }),
  removePin: route({
    method: 'DELETE',
    path: '/api/proof/pin',
    needs: 'person',
    says: 'Removes the PIN',
    answer: s.confirmation,
    handle: (_input, { host }) => refusing(host.proof.removePin()).then(() => done),
  }),
  registerPasskey: route({
    method: 'POST',
    path: '/api/proof/passkeys/new',
    needs: 'person',
    says: 'Makes the challenge for a new passkey',
    answer: z.object({
      challenge: z.string(),
      host: z.string(),
      algorithms: z.array(z.number()),
      passkeys: z.array(z.string()),
    }),
    handle: (_input, { host }) => {
      pageOf(host)
      const { challenge, passkeys } = host.proof.registration()
      return { challenge, passkeys: [...passkeys], host: passkeyHost, algorithms: [...algorithms] }
    },
  }),
  addPasskey: route({
    method: 'POST',
    path: '/api/proof/passkeys',
    needs: 'person',
    says: 'Enrols a passkey that this page made',
    body: z.strictObject({
      name: z.string().min(1).max(100),
      id: bytes,
      publicKey: bytes,
      algorithm: z.number(),
      clientData: bytes,
      authenticatorData: bytes,
      scopes: scopes.optional(),
    }),
    answer: s.confirmation,
    async handle({ scopes, ...passkey }, { host }) {
      await refusing(host.proof.addPasskey(passkey, scopes, pageOf(host)))
      return done
    },
  }),
  removePasskey: route({
    method: 'DELETE',
    path: '/api/proof/passkeys/{passkey}',
    needs: 'person',
    says: 'Removes a passkey, by its id or name',
    answer: s.confirmation,
    handle: ({ passkey }, { host }) => refusing(host.proof.removePasskey(passkey)).then(() => done),
  }),
  chooseProof: route({
    method: 'POST',
    path: '/api/proof/scopes',
    needs: 'person',
    says: 'Chooses which decisions need the proof',
    body: z.strictObject({ scopes }),
    answer: s.confirmation,
    handle: ({ scopes }, { host }) => refusing(host.proof.choose(scopes)).then(() => done),
  }),
  resetProof: route({
    method: 'POST',
    path: '/api/proof/reset',
    needs: 'person',
    says: 'Removes all that is enrolled: at once with the proof, a day later where it is forgotten',
    body: z.strictObject({ isForgotten: z.boolean() }),
    answer: z.object({ at: z.number() }),
    async handle({ isForgotten }, { host }, { isPage, terminal }) {
      if (isForgotten && (isPage || !((await terminal?.()) || process.platform === 'win32'))) {
        throw new ApiError(403, 'A proof that is forgotten is reset in a terminal: trunkline proof reset --forgotten')
      }
      return { at: await refusing(host.proof.removeAll(!isForgotten)) }
    },
  }),
  keepProof: route({
    method: 'DELETE',
    path: '/api/proof/reset',
    needs: 'person',
    says: 'Takes back a reset that was asked for',
    answer: s.confirmation,
    handle: (_input, { host }) => refusing(host.proof.keep()).then(() => done),
  }),
}

/** The terminal in front of which a PIN was typed; without one it can have been typed by a program. */
async function terminalOf({ terminal }: RouteContext) {
  const found = await terminal?.()
  if (found) return found
  throw new ApiError(403, 'A PIN is typed in a terminal, and this process has none, or none that can be seen')
}

function pageOf({ proof: { pageOrigin } }: Host): string {
  if (pageOrigin !== undefined) return pageOrigin
  throw new ApiError(409, 'Another program has the name "localhost" at this port, so no passkey can be used here')
}
