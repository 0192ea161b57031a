import { z } from 'zod'
import { proofScopes } from '../inbox/proof/proof-need.ts'
import type { Route } from './route.ts'

const done = z.object({ done: z.literal(true) })
const scopes = z.array(z.enum(proofScopes)).min(1)
const bytes = z.string().max(10_000).describe('In base64url')

/** Routes of proofs of the person. */
export const proofRoutes = {
  proof: {
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
  },
  enterPin: {
    method: 'POST',
    path: '/api/proof/enter',
    needs: 'person',
    says: 'Compares a PIN that was typed in a terminal; the right one opens this process for a while',
    body: z.strictObject({ pin: z.string().max(1_000) }),
    answer: z.object({ until: z.number() }),
  },
  setPin: {
    method: 'POST',
    path: '/api/proof/pin',
    needs: 'person',
    says: 'Sets the PIN, or another one',
    body: z.strictObject({ pin: z.string().max(1_000), scopes: scopes.optional() }),
    answer: done,
  },
  removePin: { method: 'DELETE', path: '/api/proof/pin', needs: 'person', says: 'Removes the PIN', answer: done },
  registerPasskey: {
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
  },
  addPasskey: {
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
    answer: done,
  },
  removePasskey: {
    method: 'DELETE',
    path: '/api/proof/passkeys/{passkey}',
    needs: 'person',
    says: 'Removes a passkey, by its id or name',
    answer: done,
  },
  chooseProof: {
    method: 'POST',
    path: '/api/proof/scopes',
    needs: 'person',
    says: 'Chooses which decisions need the proof',
    body: z.strictObject({ scopes }),
    answer: done,
  },
  resetProof: {
    method: 'POST',
    path: '/api/proof/reset',
    needs: 'person',
    says: 'Removes all that is enrolled: at once with the proof, a day later where it is forgotten',
    body: z.strictObject({ isForgotten: z.boolean() }),
    answer: z.object({ at: z.number() }),
  },
  keepProof: {
    method: 'DELETE',
    path: '/api/proof/reset',
    needs: 'person',
    says: 'Takes back a reset that was asked for',
    answer: done,
  },
} as const satisfies { readonly [name: string]: Route }
