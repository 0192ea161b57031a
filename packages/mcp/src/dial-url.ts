import type { Dial } from './client/dial.ts'
import type { Authorizer } from './rpc/authorizer.ts'
import type { DialHttpOptions } from './transports/http/client/dial-http.ts'

/** Options of a server at a URL. */
export interface DialUrlOptions extends DialHttpOptions {
  /** Authorizes requests, for example `signIn()` of `@trunkline/mcp/auth`. */
  readonly auth?: Authorizer | undefined
}

/** Dials a server at a URL, for code that puts something between the channel and a client. */
export async function dialUrl(url: string | URL, { auth, ...http }: DialUrlOptions = {}): Promise<Dial> {
  // loaded on demand
  const { dialHttp } = await import('./transports/http/client/dial-http.ts')
  const { chooseFetch } = await import('#fetch')
  const fetch = http.fetch ?? (await chooseFetch(http.network))
  return dialHttp(url, { authorizer: auth, ...http, ...(fetch && { fetch }) })
}
