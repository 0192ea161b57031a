import type { Principals } from './principals.ts'

/** What the endpoint knows of the person's programs: whose a token is, and when one was ended. */
export function frontTokens(principals: Principals, linesToken: string | undefined) {
  return {
    byToken: (token: string) => principals.byToken(token),
    onEnded: (listener: () => void) => principals.onEnded(listener),
    ...(linesToken !== undefined && {
      lines: {
        token: linesToken,
        named: (client: string) => principals.launched(client),
        isKnown: (principal: string) => principals.byId(principal) !== undefined,
      },
    }),
  }
}
