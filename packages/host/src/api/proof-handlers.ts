import { algorithms, passkeyHost } from '../inbox/proof/passkey.ts'
import { ProofError } from '../inbox/proof/proof-error.ts'
import { ApiError } from './api-error.ts'
import { done, type Handlers, type RouteContext } from './handlers.ts'
import type { ApiParts } from './parts.ts'
import type { proofRoutes } from './proof-routes.ts'

const statuses = { Wrong: 422, Wait: 403, Missing: 409, Damaged: 409, Unfit: 400, Full: 409 } as const

/** Handlers of proofs of the person: a PIN in a terminal, passkeys in the console. */
export function proofHandlers(parts: ApiParts): Pick<Handlers, keyof typeof proofRoutes> {
  const { proof } = parts
  return {
    proof: () => {
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
    async enterPin({ pin }, context) {
      const to = await terminalOf(context)
      return { until: await refusing(proof.enterPin(pin, to)) }
    },
    async setPin({ pin, scopes }, context) {
      await terminalOf(context)
      await refusing(proof.setPin(pin, scopes))
      return done
    },
    removePin: () => refusing(proof.removePin()).then(() => done),
    registerPasskey: () => {
      pageOf(parts)
      const { challenge, passkeys } = proof.registration()
      return { challenge, passkeys: [...passkeys], host: passkeyHost, algorithms: [...algorithms] }
    },
    async addPasskey({ scopes, ...passkey }) {
      await refusing(proof.addPasskey(passkey, scopes, pageOf(parts)))
      return done
    },
    removePasskey: ({ passkey }) => refusing(proof.removePasskey(passkey)).then(() => done),
    chooseProof: ({ scopes }) => refusing(proof.choose(scopes)).then(() => done),
    async resetProof({ isForgotten }, { isPage, terminal }) {
      if (isForgotten && (isPage || !((await terminal?.()) || process.platform === 'win32'))) {
        throw new ApiError(403, 'A proof that is forgotten is reset in a terminal: trunkline proof reset --forgotten')
      }
      return { at: await refusing(proof.removeAll(!isForgotten)) }
    },
    keepProof: () => refusing(proof.keep()).then(() => done),
  }
}

/** The terminal in front of which a PIN was typed; without one it can have been typed by a program. */
async function terminalOf({ terminal }: RouteContext) {
  const found = await terminal?.()
  if (found) return found
  throw new ApiError(403, 'A PIN is typed in a terminal, and this process has none, or none that can be seen')
}

function pageOf({ proof: { pageOrigin } }: ApiParts): string {
  if (pageOrigin !== undefined) return pageOrigin
  throw new ApiError(409, 'Another program has the name "localhost" at this port, so no passkey can be used here')
}

/** Answers with the problem of a proof. */
export async function refusing<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    throw error instanceof ProofError ? new ApiError(statuses[error.code], error.message) : error
  }
}
