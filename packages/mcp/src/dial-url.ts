import type { Dial } from './client/dial.ts'
import type { Authorizer } from './rpc/authorizer.ts'
import type { DialHttpOptions } from './transports/http/client/dial-http.ts'

/** How a server at a URL is reached. */
export interface DialUrlOptions extends DialHttpOptions {
  /** Shows the server who is calling, such as what `signIn()` of `@trunkline/mcp/auth` makes. */
  readonly auth?: Authorizer | undefined
}

/** A way to a server at a URL, for whoever puts something of their own between it and a client. */
export async function dialUrl(url: string | URL, { auth, ...http }: DialUrlOptions = {}): Promise<Dial> {
  // what only some need is loaded when it is needed
  const { dialHttp } = await import('./transports/http/client/dial-http.ts')
  const { chooseFetch } = await import('#fetch')
  const fetch = http.fetch ?? (await chooseFetch())
  return dialHttp(url, { authorizer: auth, ...http, ...(fetch && { fetch }) })
}
