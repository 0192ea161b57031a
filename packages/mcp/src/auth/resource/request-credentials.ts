import type { AuthRequest } from './authenticator.ts'
import { TokenProblem } from './token-problem.ts'

/** The credentials of a request. */
export interface RequestCredentials {
  readonly scheme: 'bearer' | 'dpop'
  readonly token: string
}

const longestToken = 16_384

/** Reads the `Authorization` header; undefined when there is no bearer or DPoP token. */
export function requestCredentials(request: AuthRequest): RequestCredentials | undefined {
  const header = request.header('authorization') ?? ''
  const [, scheme = '', token = ''] = /^(bearer|dpop) +([\s\S]*)$/i.exec(header) ?? []
  if (scheme === '') return undefined
  if (token.length > longestToken || !/^[\w.~+/-]+=*$/.test(token)) {
    throw new TokenProblem('invalid_token', 'The token is malformed')
  }
  return { scheme: scheme.toLowerCase() as RequestCredentials['scheme'], token }
}
