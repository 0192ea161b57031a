import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer } from '../../network/node-http.ts'
import { waitOrAbort } from '../../rpc/abortable-wait.ts'
import { kindOfHost } from '../shared/address-ranges.ts'
import { AuthError } from '../shared/auth-error.ts'
import type { CallbackListener, CallbackOptions } from '../shared/platform.ts'
import { hasErrorCode } from './error-code.ts'

/** Listens on a loopback address for the redirect; accepts one request with the right state. */
export async function listenForCallback({ redirect, state }: CallbackOptions): Promise<CallbackListener> {
  if (redirect.protocol !== 'http:' || kindOfHost(redirect.hostname) !== 'loopback') {
    const fix = 'to come back elsewhere takes a "visit"'
    throw new AuthError('address', `Cannot listen at "${redirect.origin}": it is not this machine; ${fix}`)
  }
  const expected = new URL(redirect)
  let settle: (parameters: URLSearchParams) => void
  const arrival = new Promise<URLSearchParams>((resolve) => {
    settle = resolve
  })
  let isDone = false
  const server = createServer({ requestTimeout: 10_000, maxHeaderSize: 32_768 }, (request, response) => {
    const parameters = isDone ? undefined : parametersOf(request, expected, state)
    if (!parameters)
      return reply(response, 404, 'Nothing here', 'This page is part of signing in, and was not expected.')
    isDone = true
    // the listener closes once it has the parameters, so the page must have been sent by then
    response.once('close', () => settle(parameters))
    if (parameters.has('error')) reply(response, 200, 'Not signed in', 'Go back to the application to see why.')
    else reply(response, 200, 'Almost done', 'You can close this window and go back to the application.')
  })
  await listening(server, redirect)
  expected.port = String((server.address() as AddressInfo).port)
  return {
    redirectUri: expected.href,
    received: (signal) => waitOrAbort(arrival, signal),
    close: () => closed(server),
  }
}

/** Only a request with the expected state counts: others may come from any page that guesses the port. */
function parametersOf({ method, url = '', headers }: IncomingMessage, expected: URL, state: string) {
  if (method !== 'GET' || headers.host !== expected.host || !URL.canParse(url, expected)) return undefined
  const { pathname, searchParams } = new URL(url, expected)
  return pathname === expected.pathname && searchParams.get('state') === state ? searchParams : undefined
}

function reply(response: ServerResponse, status: number, title: string, text: string): void {
  response.writeHead(status, pageHeaders).end(callbackPage(title, text))
}

function listening(server: Server, { hostname, port }: URL): Promise<void> {
  const host = hostname === '[::1]' ? '::1' : '127.0.0.1'
  return new Promise((resolve, reject) => {
    const fail = (cause: Error): void => {
      const why = hasErrorCode(cause, 'EADDRINUSE') ? 'it is in use; give another "redirectUri"' : cause.message
      reject(new AuthError('sign-in', `Cannot listen at port ${port} for the redirect: ${why}`, { cause }))
    }
    server.once('error', fail)
    server.listen({ host, port: Number(port), exclusive: true }, resolve)
  })
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

/** The page after the redirect; it contains nothing of the request. */
function callbackPage(title: string, text: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${title}</title>
<style>body { font: 1.1rem/1.5 system-ui, sans-serif; max-width: 30rem; margin: 20vh auto; padding: 0 1rem }
@media (prefers-color-scheme: dark) { body { background: #181818; color: #ddd } }</style></head>
<body><h1>${title}</h1><p>${text}</p></body>
</html>
`
}

/** Headers that keep the page from loading, running or leaking anything. */
const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  connection: 'close',
} as const
