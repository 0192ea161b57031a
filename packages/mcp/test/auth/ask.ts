/** A client's use of an authorizer: asks, shows what it is given, and asks again. */
import { memorySecrets, type SignInOptions, signIn } from '../../src/auth.ts'
import type { Authorizer } from '../../src/rpc/authorizer.ts'
import { Authorization } from '../../src/transports/http/client/authorization.ts'

/** Makes one request as the HTTP channel makes it. */
export function ask(url: string, authorizer: Authorizer, signal = new AbortController().signal): Promise<Response> {
  const authorization = new Authorization(authorizer)
  return authorization.send({ method: 'POST', url: new URL(url), signal }, (headers) =>
    fetch(url, { method: 'POST', headers, body: '{}', signal }),
  )
}

/** Signs in by a browser that does what it is told, and remembers only for the test. */
export function browsing(options: SignInOptions = {}) {
  return signIn({ store: memorySecrets(), open: browse, ...options })
}

/** Goes to a page and from there wherever it is sent. */
export async function browse(url: URL): Promise<void> {
  await (await fetch(url)).text()
}
