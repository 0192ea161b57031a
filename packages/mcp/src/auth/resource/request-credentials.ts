import type { AuthRequest } from './authenticator.ts'
import { TokenProblem } from './token-problem.ts'

/** What a request shows of who sends it. */
export interface RequestCredentials {
  readonly scheme: 'bearer' | 'dpop'
  readonly token: string
}

const longestToken = 16_384

/** Reads the one place where a token may be; undefined when there is none, or something else than a token. */
export function requestCredentials(request: AuthRequest): RequestCredentials | undefined {
  const header = request.header('authorization') ?? ''
  const [, scheme = '', token = ''] = /^(bearer|dpop) +([\s\S]*)$/i.exec(header) ?? []
  if (scheme === '') return undefined
  if (token.length > longestToken || !/^[\w.~+/-]+=*$/.test(token)) {
    throw new TokenProblem('invalid_token', 'The token is malformed')
  }
  return { scheme: scheme.toLowerCase() as RequestCredentials['scheme'], token }
}
