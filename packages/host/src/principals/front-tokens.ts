import type { Principals } from './principals.ts'

/** What the endpoint knows of the person's programs: whose a token is, and when one was ended. */
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
