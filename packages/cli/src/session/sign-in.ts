import type { Authorizer } from '@trunkline/mcp'
import type { Output } from '../output/output.ts'
import { styled } from '../output/span.ts'

export interface SignInTerminal {
  readonly output: Output
  /** True if a person can visit a page. */
  readonly isInteractive: boolean
  /** Origins that may be asked although they are private or not encrypted. */
  readonly trusted?: readonly string[] | undefined
}

/** Shows a server who is calling: with tokens that are kept, else by a page that the person at the terminal visits. */
export async function terminalSignIn({ output, isInteractive, trusted = [] }: SignInTerminal): Promise<Authorizer> {
  const { signIn } = await import('@trunkline/mcp/auth')
  const authorizer = signIn({
    trusted,
    open: (url) =>
      output.note([
        styled('strong', `Sign in at ${url.host}, in a browser on this machine: `),
        styled('name', url.href),
      ]),
  })
  if (isInteractive) return authorizer
  return {
    authorize: (request, signal) => authorizer.authorize(request, signal),
    // kept tokens are renewed; without a person to visit a page, no client is registered and no page is made
    challenged: async (refusal, signal) =>
      Object.keys(refusal.sent).length > 0 && authorizer.challenged(refusal, signal),
  }
}
