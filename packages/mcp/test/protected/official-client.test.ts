import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { devServer } from '../../src/auth-dev-server.ts'
import { serve } from '../../src/index.ts'
import { vault } from './vault.ts'

const redirectUrl = 'http://127.0.0.1:9/callback'

/** A provider that agrees to everything, and remembers it. */
class Agreeable implements OAuthClientProvider {
  readonly redirectUrl = redirectUrl
  readonly clientMetadata = { redirect_uris: [redirectUrl], client_name: 'official' }
  /** Parameters that the browser came back with. */
  arrived = new URLSearchParams()
  visits = 0
  #tokens: StoredOAuthTokens | undefined
  #verifier = ''
  #discovery: OAuthDiscoveryState | undefined

  clientInformation() {
    return { client_id: 'official' }
  }
  tokens() {
    return this.#tokens
  }
  saveTokens(tokens: StoredOAuthTokens) {
    this.#tokens = tokens
  }
  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier
  }
  codeVerifier() {
    return this.#verifier
  }
  saveDiscoveryState(state: OAuthDiscoveryState) {
    this.#discovery = state
  }
  discoveryState() {
    return this.#discovery
  }
  async redirectToAuthorization(url: URL) {
    this.visits += 1
    const { headers } = await fetch(url, { redirect: 'manual' })
    this.arrived = new URL(headers.get('location') ?? '').searchParams
  }
}

/** Does something, and once more after signing in when that turns out to be needed. */
async function signingIn<Result>(
  provider: Agreeable,
  transport: () => StreamableHTTPClientTransport,
  act: () => Promise<Result>,
): Promise<Result> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof UnauthorizedError)) throw error
    await transport().finishAuth(provider.arrived)
    return act()
  }
}

for (const revision of ['2025-11-25', '2026-07-28']) {
  test(`interop: the official client signs in, calls, and steps up, in ${revision}`, async () => {
    await using authorization = await devServer({
      clients: [{ clientId: 'official', redirectUris: [redirectUrl] }],
      warn: () => {},
    })
    const { definition, count } = vault()
    await using listening = await serve(definition, {
      http: 0,
      auth: { issuer: authorization.issuer, scopes: ['mcp'] },
    })
    const provider = new Agreeable()
    let transport!: StreamableHTTPClientTransport
    let client!: Client
    const connect = async (): Promise<void> => {
      transport = new StreamableHTTPClientTransport(new URL(listening.url), { authProvider: provider })
      client = new Client(
        { name: 'official', version: '1' },
        revision === '2026-07-28'
          ? { versionNegotiation: { mode: { pin: revision } } }
          : { supportedProtocolVersions: [revision] },
      )
      await client.connect(transport)
    }
    await signingIn(provider, () => transport, connect)
    assert.equal(client.getNegotiatedProtocolVersion(), revision)
    const who = await client.callTool({ name: 'whoami', arguments: {} })
    assert.deepEqual((who.structuredContent as { scopes: string[] }).scopes, ['mcp'])
    assert.equal(provider.visits, 1)
    const taken = await signingIn(
      provider,
      () => transport,
      () => client.callTool({ name: 'take', arguments: {} }),
    )
    assert.deepEqual(taken.content, [{ type: 'text', text: 'gold' }])
    assert.deepEqual([provider.visits, count.served], [2, 2])
    assert.equal(provider.tokens()?.scope, 'mcp vault:open vault:take')
    await client.close()
  })
}
