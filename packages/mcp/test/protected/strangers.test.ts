/** Unregistered clients sign in at the development server the way they come out of the box. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { memorySecrets, signIn } from '../../src/auth.ts'
import { devServer } from '../../src/auth-dev-server.ts'
import { connect, serve } from '../../src/index.ts'
import { vault } from './vault.ts'

const folder = mkdtempSync(join(tmpdir(), 'trunkline-'))
after(() => rmSync(folder, { recursive: true, force: true }))

async function protectedVault() {
  const authorization = await devServer({ warn() {} })
  const { definition } = vault()
  const listening = await serve(definition, { http: 0, auth: { issuer: authorization.issuer } })
  return {
    url: listening.url,
    authorization,
    async [Symbol.asyncDispose]() {
      await listening.close()
      await authorization.close()
    },
  }
}

/** Remembers what it is told and agrees to everything, as the examples of the official SDK do. */
function agreeable(redirectUrl: string) {
  const kept: { [key: string]: unknown } = {}
  const keep = (key: string) => (value: unknown) => {
    kept[key] = value
  }
  return {
    kept,
    redirectUrl,
    clientMetadata: {
      client_name: 'stranger',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'client_secret_post',
    },
    clientInformation: () => kept.client,
    saveClientInformation: keep('client'),
    tokens: () => kept.tokens,
    saveTokens: keep('tokens'),
    codeVerifier: () => String(kept.verifier),
    saveCodeVerifier: keep('verifier'),
    async redirectToAuthorization(url: URL) {
      const { headers } = await fetch(url, { redirect: 'manual' })
      kept.arrived = new URL(headers.get('location') ?? '').searchParams
    },
  }
}

describe('an unregistered client signs in', () => {
  it('ours, as the guide says', async () => {
    await using vault = await protectedVault()
    await using mcp = await connect(new URL(vault.url), {
      auth: signIn({ store: memorySecrets(), open: (page) => fetch(page) }),
    })
    const { structuredContent } = await mcp.tools.call('whoami', {})
    assert.match(JSON.stringify(structuredContent), /developer/)
  })

  it('the official SDK v1, with any port of localhost', async () => {
    await using vault = await protectedVault()
    const provider = agreeable('http://localhost:49152/callback')
    const dial = () => new TransportV1(new URL(vault.url), { authProvider: provider as never })
    const first = dial()
    await assert.rejects(new ClientV1({ name: 'v1', version: '1' }).connect(first as never), /Unauthorized/)
    await first.finishAuth((provider.kept.arrived as URLSearchParams).get('code') ?? '')
    const client = new ClientV1({ name: 'v1', version: '1' })
    await client.connect(dial() as never)
    assert.match(JSON.stringify(await client.callTool({ name: 'whoami', arguments: {} })), /developer/)
    await client.close()
  })

  it('the official SDK v2', async () => {
    await using vault = await protectedVault()
    const provider = agreeable('http://localhost:49153/callback')
    const dial = () => new StreamableHTTPClientTransport(new URL(vault.url), { authProvider: provider as never })
    const first = dial()
    await assert.rejects(new Client({ name: 'v2', version: '1' }).connect(first), UnauthorizedError)
    await first.finishAuth(provider.kept.arrived as URLSearchParams)
    const client = new Client({ name: 'v2', version: '1' })
    await client.connect(dial())
    assert.match(JSON.stringify(await client.callTool({ name: 'whoami', arguments: {} })), /developer/)
    await client.close()
  })

  it('mcp-remote, as its page says', async () => {
    await using vault = await protectedVault()
    const program = fileURLToPath(import.meta.resolve('mcp-remote/dist/proxy.js'))
    const env = { PATH: process.env.PATH, HOME: folder, MCP_REMOTE_CONFIG_DIR: folder }
    const child = spawn(process.execPath, [program, vault.url], { env })
    try {
      let wrote = ''
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        const before = /visiting:\s+\S+\s/.test(wrote)
        wrote += text
        const page = /visiting:\s+(\S+)\s/.exec(wrote)?.[1]
        // the person opens the page in a browser, which follows where it leads
        if (page !== undefined && !before) void fetch(page)
      })
      const said = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
      const ask = async (id: number, method: string, params: object) => {
        child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
        const { value } = await said.next()
        assert.ok(value, wrote)
        return JSON.parse(value)
      }
      const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } }
      assert.equal((await ask(1, 'initialize', hello)).result.serverInfo.name, 'vault')
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`)
      assert.match(JSON.stringify(await ask(2, 'tools/call', { name: 'whoami', arguments: {} })), /developer/)
    } finally {
      child.kill('SIGKILL')
    }
  })
})

describe('the registration of clients', () => {
  const post = (issuer: string, body: unknown) =>
    fetch(`${issuer}/register`, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) })

  for (const [what, body, error] of [
    ['no JSON', '{', 'invalid_client_metadata'],
    ['no redirect URI', {}, 'invalid_redirect_uri'],
    ['a foreign address without https', { redirect_uris: ['http://example.com/x'] }, 'invalid_redirect_uri'],
    ['a script as address', { redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
    [
      'an unknown method',
      { redirect_uris: ['http://localhost/x'], token_endpoint_auth_method: 'x' },
      'invalid_client_metadata',
    ],
  ] as const) {
    it(`refuses ${what}`, async () => {
      await using authorization = await devServer({ warn() {} })
      const response = await post(authorization.issuer, body)
      assert.equal(response.status, 400)
      assert.equal((await response.json()).error, error)
    })
  }

  it('remembers a limited number, the newest', async () => {
    await using authorization = await devServer({ warn() {}, limits: { maxClients: 2 } })
    for (let count = 0; count < 5; count++) await post(authorization.issuer, { redirect_uris: ['http://localhost/x'] })
    assert.equal(authorization.live, 2)
  })
})
