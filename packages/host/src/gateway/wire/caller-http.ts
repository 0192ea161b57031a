import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Sender } from '@trunkline/mcp/client'
import { shownHeaders } from './shown-headers.ts'
import type { WireAct, WireLog } from './wire-log.ts'

interface Arrived {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly at: number
}

/**
 * The HTTP requests of callers, while they are watched. The authentication of a request is an object of its own, which
 * is handed on with its messages and identifies the request.
 */
export class CallerHttp {
  readonly #byClaims = new WeakMap<object, Arrived>()
  #arriving: Arrived | undefined

  /** Serves a request, which is authenticated before `serve` returns. */
  during(request: IncomingMessage, response: ServerResponse, serve: () => void): void {
    this.#arriving = { request, response, at: Date.now() }
    try {
      serve()
    } finally {
      this.#arriving = undefined
    }
  }

  /** The request that arrives was authenticated as this. */
  authenticated(claims: object): void {
    if (this.#arriving) this.#byClaims.set(claims, this.#arriving)
  }

  /** Keeps the request that a message came in, once it is answered. */
  note(sender: Sender | undefined, act: WireAct, log: WireLog): void {
    const arrived = sender?.claims && this.#byClaims.get(sender.claims)
    if (!arrived) return
    const { request, response, at } = arrived
    response.once('close', () =>
      log.http(act, {
        hop: 'caller',
        at,
        ms: Date.now() - at,
        method: request.method ?? '',
        url: request.url ?? '',
        status: response.statusCode,
        requestHeaders: shownHeaders(request.headers),
        responseHeaders: shownHeaders(response.getHeaders()),
      }),
    )
  }
}
