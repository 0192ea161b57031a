/** Surroundings of the proxy tests: an authority, a server that it vouches for, and proxies as processes. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer as createPlain, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { server } from '@trunkline/mcp'
import { toNode } from '@trunkline/mcp/node'

/** The name of the server; only a proxy knows where it is. */
export const upstreamName = 'upstream.test'

/** The file of an authority, and a certificate that it signed for the server's name. */
export interface SignedCertificate {
  readonly ca: string
  readonly key: Buffer
  readonly cert: Buffer
}

/** Makes an unknown authority, and a certificate that it signed. */
export function authority(folder: string): SignedCertificate {
  const at = (name: string): string => join(folder, name)
  const openssl = (...args: string[]): unknown => execFileSync('openssl', args, { stdio: 'pipe' })
  const ec = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  openssl(
    'req',
    '-x509',
    ...ec,
    '-keyout',
    at('ca.key'),
    '-out',
    at('ca.pem'),
    '-subj',
    '/CN=Own authority',
    '-days',
    '2',
  )
  openssl('req', ...ec, '-keyout', at('key.pem'), '-out', at('csr.pem'), '-subj', `/CN=${upstreamName}`)
  writeFileSync(at('names'), `subjectAltName=DNS:${upstreamName}\n`)
  const signed = ['-CA', at('ca.pem'), '-CAkey', at('ca.key'), '-CAcreateserial', '-extfile', at('names'), '-days', '2']
  openssl('x509', '-req', '-in', at('csr.pem'), ...signed, '-out', at('cert.pem'))
  return { ca: at('ca.pem'), key: readFileSync(at('key.pem')), cert: readFileSync(at('cert.pem')) }
}

/** A proxy that runs, and its requests so far. */
export interface RunningProxy extends AsyncDisposable {
  readonly url: string
  readonly asked: readonly { readonly asked: string; readonly passes: boolean }[]
}

/** Starts a proxy; with credentials it wants `name:password`. */
export async function startProxy(credentials = ''): Promise<RunningProxy> {
  const program = join(import.meta.dirname, 'connect-proxy.ts')
  const child = spawn(process.execPath, [program, credentials], { stdio: ['pipe', 'pipe', 'inherit'] })
  const asked: { asked: string; passes: boolean }[] = []
  const port = await new Promise<number>((resolve, reject) => {
    child.once('error', reject)
    createInterface({ input: child.stdout }).on('line', (line) => {
      const told = JSON.parse(line) as { port?: number; asked?: string; passes?: boolean }
      if (told.port !== undefined) resolve(told.port)
      if (told.asked !== undefined) asked.push({ asked: told.asked, passes: told.passes === true })
    })
  })
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    async [Symbol.asyncDispose]() {
      child.stdin.end()
      await once(child, 'exit')
    },
  }
}

/** A server over TLS and over plain HTTP, with an address that needs a sign-in. */
export async function startUpstream({ key, cert }: { readonly key: Buffer; readonly cert: Buffer }) {
  const handle = toNode(
    server({ name: 'upstream', version: '1' }).tool('get_name', {}, () => 'upstream'),
    { hosts: [upstreamName, '127.0.0.1'] },
  )
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    const found = signInPages(`https://${request.headers.host}`)[request.url ?? '']
    if (request.url === '/private/mcp') {
      const metadata = `https://${request.headers.host}/.well-known/oauth-protected-resource/private/mcp`
      return void response.writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${metadata}"` }).end()
    }
    if (!found) return handle(request, response)
    response.writeHead(found.status, { 'content-type': 'application/json' }).end(JSON.stringify(found.body))
  }
  const secure = createServer({ key, cert }, listener)
  const plain = createPlain(listener)
  for (const one of [secure, plain]) await once(one.listen(0, '127.0.0.1'), 'listening')
  const portOf = (one: typeof secure | typeof plain): number => (one.address() as AddressInfo).port
  return {
    secure: `https://${upstreamName}:${portOf(secure)}`,
    plain: `http://${upstreamName}:${portOf(plain)}`,
    async [Symbol.asyncDispose]() {
      await handle.close()
      for (const one of [secure, plain]) one.close().closeAllConnections()
    },
  }
}

/** The part of an authorization server that leads to the page where a person signs in. */
function signInPages(origin: string): { readonly [path: string]: { readonly status: number; readonly body: object } } {
  return {
    '/.well-known/oauth-protected-resource/private/mcp': {
      status: 200,
      body: { resource: `${origin}/private/mcp`, authorization_servers: [origin] },
    },
    '/.well-known/oauth-authorization-server': {
      status: 200,
      body: {
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
      },
    },
    '/register': { status: 201, body: { client_id: 'somebody', token_endpoint_auth_method: 'none' } },
  }
}
