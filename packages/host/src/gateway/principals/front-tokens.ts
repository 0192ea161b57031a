import type { Principals } from './principals.ts'

/** Tokens of the person's programs for the endpoint: the principal of each, and the event that one was ended. */
export function frontTokens<Clients>(principals: Principals, clients: Clients, linesToken: string | undefined) {
  return {
    byToken: (token: string) => principals.byToken(token),
    onEnded: (listener: () => void) => principals.onEnded(listener),
    ...(linesToken !== undefined && {
      lines: {
        token: linesToken,
        clients,
      },
    }),
  }
}
