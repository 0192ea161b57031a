import { shownProxy } from './proxy-for.ts'

/** Answer of a proxy, or the reason why there is none. */
export interface ProxyProblem {
  /** Address that was to be reached. */
  readonly target: string
  readonly status?: number
  readonly said?: string
  readonly cause?: Error
}

/** An error of a request that did not get past its proxy, so that no server has seen it. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError'
  readonly code = 'ERR_PROXY'
}

/** The error for a proxy that does not pass a request on; it never holds the password. */
export function proxyFailure(proxy: URL, { target, status, said, cause }: ProxyProblem): ProxyError {
  const shown = `the proxy ${shownProxy(proxy)}`
  if (status === 407) {
    const wrong = proxy.username === '' ? 'wants a name and a password' : 'does not accept the name and password'
    return new ProxyError(`${shown} ${wrong} (407); give them in its address, as in http://name:password@proxy:3128`)
  }
  if (status !== undefined) return new ProxyError(`${shown} refused to connect to ${target}: ${status} ${said}`.trim())
  const { code, message } = (cause ?? {}) as NodeJS.ErrnoException
  return new ProxyError(`${shown} cannot be reached (${code ?? message})`, { cause })
}
