import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { shownHeaders, shownUrl } from './shown-headers.ts'
import type { WireAct, WireLog } from './wire-log.ts'

interface Begun {
  readonly act: WireAct
  readonly at: number
}

/** Keeps the HTTP requests to servers while they are watched; Node reports them only then. */
export function watchServerHttp(log: WireLog): void {
  const begun = new WeakMap<ClientRequest, Begun>()
  const onStart = (told: unknown): void => {
    const { request } = told as { readonly request: ClientRequest }
    const act = log.current
    if (act) begun.set(request, { act, at: Date.now() })
  }
  const onResponse = (told: unknown): void => {
    const { request, response } = told as { readonly request: ClientRequest; readonly response: IncomingMessage }
    const started = begun.get(request)
    if (!started) return
    const { act, at } = started
    log.http(act, {
      hop: 'server',
      at,
      ms: Date.now() - at,
      method: request.method,
      url: shownUrl(`${request.protocol}//${request.host}${request.path}`),
      status: response.statusCode ?? 0,
      requestHeaders: shownHeaders(request.getHeaders()),
      responseHeaders: shownHeaders(response.headers),
    })
  }
  log.onTurn((isOpen) => {
    const turn = isOpen ? subscribe : unsubscribe
    turn('http.client.request.start', onStart)
    turn('http.client.response.finish', onResponse)
  })
}
