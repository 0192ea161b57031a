import { ApiError } from './api-error.ts'
import { done, type Handlers } from './handlers.ts'
import type { ApiParts } from './parts.ts'

/** Signing in to servers, and out again. */
export function signInHandlers({ signIn, signOut }: ApiParts): Pick<Handlers, 'login' | 'logout'> {
  return {
    async login({ server }) {
      const waiting = await refused(signIn(server))
      if (!waiting) return { isSignedIn: true }
      const { page, question } = waiting
      return { isSignedIn: false, page: page.href, host: page.host, question }
    },
    async logout({ server }) {
      await refused(signOut(server))
      return done
    },
  }
}

/** Answers 409 with the reason if the work fails, which is no fault of the host. */
async function refused<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work
  } catch (error) {
    throw new ApiError(409, error instanceof Error ? error.message : String(error))
  }
}
