/** A program that signs a user in as if there was no Node; what it prints is judged by a test. */
import { registerHooks } from 'node:module'

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === '#auth') return next(new URL('../../src/auth/no-platform.ts', import.meta.url).href, context)
    const isOurs = context.parentURL?.includes('/packages/mcp/src/')
    if (isOurs && specifier.startsWith('node:')) throw new Error(`Cannot load "${specifier}": there is no Node`)
    return next(specifier, context)
  },
})
const { fileSecrets, signIn } = await import('../../src/auth.ts')

const issuer = 'https://auth.example.com'
const endpoints = { authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` }
const documents: { readonly [path: string]: unknown } = {
  '/.well-known/oauth-protected-resource/mcp': { resource: 'https://mcp.example.com', authorization_servers: [issuer] },
  '/.well-known/oauth-authorization-server': { issuer, ...endpoints, code_challenge_methods_supported: ['S256'] },
  '/token': { access_token: 'token-1', token_type: 'bearer' },
}
globalThis.fetch = async (address) => Response.json(documents[new URL(String(address)).pathname])

const visit = async (url: URL, { redirectUri }: { redirectUri: string }): Promise<URL> =>
  new URL(`${redirectUri}?code=c&state=${url.searchParams.get('state')}`)
const request = { method: 'POST', url: 'https://mcp.example.com/mcp' }
const refusal = { ...request, status: 401, sent: {}, attempt: 0, header: () => null }
const client = { clientId: 'a' }

const auth = signIn({ client, visit, redirectUri: 'https://app.example/back' })
await auth.challenged(refusal)
console.log((await auth.authorize(request)).authorization)
await signIn({ client })
  .challenged(refusal)
  .catch(({ code }) => console.log(code))
try {
  fileSecrets('/tmp')
} catch (error) {
  console.log((error as { code: string }).code)
}
