/** A server that admits no request without a token, and the authorization server that gives one, for tests. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { server } from '@trunkline/mcp'
import { type DevServerOptions, devServer } from '@trunkline/mcp/auth/dev-server'
import { protect } from '@trunkline/mcp/auth/resource'
import { toNode } from '@trunkline/mcp/node'
import { z } from 'zod'
import type { ServerSpec } from '../../src/servers/server-spec.ts'

export interface ProtectedServer extends AsyncDisposable {
  readonly url: string
  readonly spec: ServerSpec
  /** The `Authorization` headers that arrived, each once. */
  readonly shown: ReadonlySet<string>
  /** Number of refused requests with a token. */
  readonly refused: number
  readonly issuer: string
  /** Number of runs of each tool. */
  readonly ran: Map<string, number>
  /** Lets so many milliseconds pass for the server and for the authorization server. */
  pass(ms: number): void
  /** Makes every token that was given so far, also for refreshing, worth nothing. */
  revokeAll(): void
}

export async function protectedServer(options: DevServerOptions = {}): Promise<ProtectedServer> {
  let late = 0
  const now = (): number => Date.now() + late
  const pass = (ms: number): void => {
    late += ms
  }
  const authorization = await devServer({ warn: () => {}, now, ...options })
  const { issuer } = authorization
  const shown = new Set<string>()
  const ran = new Map<string, number>()
  let refused = 0
  const http = createServer((request, response) => {
    if (request.headers.authorization !== undefined) {
      shown.add(request.headers.authorization)
      response.once('finish', () => (refused += response.statusCode === 401 ? 1 : 0))
    }
    endpoint(request, response)
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`
  const vault = server({ name: 'vault', version: '1', onWarning: () => {} })
    .tool('read', { input: z.object({ key: z.string() }), annotations: { readOnlyHint: true } }, ({ key }) => {
      ran.set(key, (ran.get(key) ?? 0) + 1)
      return `value of ${key}`
    })
    .tool('read_more', { annotations: { readOnlyHint: true }, scopes: ['more'] }, () => 'more')
  const endpoint = toNode(vault, { auth: protect({ issuer, resource: url, now, rememberMs: 0 }) })
  return {
    url,
    spec: { name: 'vault', launch: { kind: 'remote', url, headers: {} } },
    shown,
    get refused() {
      return refused
    },
    issuer,
    ran,
    pass,
    revokeAll: () => pass(7 * 24 * 3_600_000),
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => http.close(resolve))
      await endpoint.close()
      http.closeAllConnections()
      await closed
      await authorization.close()
    },
  }
}
