import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import '../no-leaks.ts'
import { kindOfHost } from '../../src/auth/shared/address-ranges.ts'
import { checkUrl } from '../../src/auth/shared/url-policy.ts'
import { ask, browsing } from './ask.ts'
import { hostileServer } from './hostile-server.ts'
import { internet, refusal, resource } from './internet.ts'
import { listening, type Seen } from './listening.ts'

const home = 'https://mcp.example.com'
const issuer = 'https://auth.example.com'

// where no server may send a client
const forbidden = [
  ...[
    'http://169.254.169.254/latest/meta-data/',
    'https://169.254.169.254/',
    'https://0xa9fea9fe/',
    'https://2852039166/',
  ],
  ...[
    'https://[::ffff:169.254.169.254]/',
    'https://[fd00:ec2::254]/',
    'https://metadata.google.internal/',
    'https://0251.0376.0251.0376/',
  ],
  ...[
    'http://127.0.0.1:8080/',
    'https://127.0.0.2/',
    'http://localhost/',
    'https://[::1]/',
    'https://2130706433/',
    'https://0/',
  ],
  ...['https://10.0.0.1/', 'https://192.168.1.1/', 'https://172.16.0.1/', 'https://[fc00::1]/', 'https://100.64.0.1/'],
  ...[
    'http://auth.example.com/',
    'ftp://auth.example.com/',
    'file:///etc/passwd',
    'gopher://auth.example.com/',
    'https://a@auth.example.com/',
  ],
]

function metadata(more: object) {
  const endpoints = { authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` }
  const rest = { registration_endpoint: `${issuer}/register`, code_challenge_methods_supported: ['S256'] }
  return Response.json({ issuer, ...endpoints, ...rest, ...more })
}

/** Internets that lead a client astray by one of the addresses that servers name. */
const astray: { readonly [what: string]: (address: string) => ReturnType<typeof internet> } = {
  'an issuer': (address) => internet({ [home]: resource(home, address) }),
  'a redirect of the metadata of the server': (address) => internet({ [home]: () => to(address) }),
  'a redirect of the metadata of the issuer': (address) =>
    internet({ [home]: resource(home, issuer), [issuer]: () => to(address) }),
  'a place to register': (address) =>
    internet({ [home]: resource(home, issuer), [issuer]: () => metadata({ registration_endpoint: address }) }),
  'a place for tokens': (address) => {
    const register = () => Response.json({ client_id: 'a' }, { status: 201 })
    const site = ({ pathname }: URL) => (pathname === '/register' ? register() : metadata({ token_endpoint: address }))
    return internet({ [home]: resource(home, issuer), [issuer]: site })
  },
}

function to(location: string): Response {
  return new Response(null, { status: 302, headers: { location } })
}

/** Comes back at once with a code. */
async function visit(url: URL): Promise<URL> {
  const back = new URL(url.searchParams.get('redirect_uri') ?? '')
  back.search = `code=secret&state=${url.searchParams.get('state')}`
  return back
}

for (const [what, web] of Object.entries(astray)) {
  for (const address of forbidden) {
    test(`discovery: ${what} does not lead to ${address}`, async () => {
      const { asked, fetch } = web(address)
      const authorizer = browsing({ fetch, visit, redirectUri: 'http://127.0.0.1:1/cb' })
      await assert.rejects(authorizer.challenged(refusal(home)), { code: 'Unauthorized' })
      assert.deepEqual(
        asked.filter((url) => ![home, issuer].includes(new URL(url).origin)),
        [],
      )
      assert.ok(asked.every((url) => new URL(url).username === ''))
    })
  }
}

for (const address of [...forbidden, 'https://evil.example/', `${home}:8443/`]) {
  test(`discovery: a challenge does not lead to ${address}`, async () => {
    const { asked, fetch } = internet({})
    const challenge = `Bearer resource_metadata="${address}"`
    await assert.rejects(browsing({ fetch }).challenged(refusal(home, challenge)), { problem: 'address' })
    assert.deepEqual(asked, [])
  })
}

test('discovery: on this machine, the metadata of the server comes from the server and not from its neighbour', async () => {
  const seen: Seen[] = []
  const canary = await listening('server', seen, (_, response) => void response.end('{}'))
  await using server = await hostileServer({ metadataAt: `${canary.origin}/meta` })
  await assert.rejects(ask(server.url, browsing()), { problem: 'address' })
  assert.equal(seen.length, 0)
  await canary.close()
})

test('discovery: on this machine, a redirect to where clouds keep credentials is not followed', async () => {
  await using server = await hostileServer({ metadataRedirect: 'http://169.254.169.254/latest/meta-data/' })
  await assert.rejects(ask(server.url, browsing()), { problem: 'address' })
})

test('discovery: a document that is too large is not read', async () => {
  await using server = await hostileServer({ metadataBytes: 1_048_576 })
  await assert.rejects(ask(server.url, browsing()), { problem: 'limit' })
})

test('discovery: an issuer that never answers is not waited for', async () => {
  await using server = await hostileServer({ isMute: true })
  await assert.rejects(ask(server.url, browsing({ limits: { maxResponseMs: 100 } })), { problem: 'unreachable' })
})

test('discovery: no address that passes the check is one that must not be asked', () => {
  const policy = { server: new URL('https://mcp.example.com'), trusted: new Set<string>() }
  const byte = fc
    .nat(255)
    .chain((value) => fc.constantFrom(`${value}`, `0x${value.toString(16)}`, `0${value.toString(8)}`))
  const quad = fc.array(byte, { minLength: 1, maxLength: 4 }).map((bytes) => bytes.join('.'))
  const host = fc.oneof(
    quad,
    fc.ipV4(),
    fc.ipV6().map((address) => `[${address}]`),
    fc.nat(2 ** 32 - 1).map(String),
    fc.domain(),
  )
  fc.assert(
    fc.property(fc.constantFrom('http', 'https'), host, (scheme, name) => {
      let url: URL
      try {
        url = checkUrl(`${scheme}://${name}/`, policy, 'test')
      } catch {
        return
      }
      assert.equal(url.protocol, 'https:')
      assert.ok([undefined, 'public'].includes(kindOfHost(url.hostname)))
    }),
    { numRuns: 2_000 },
  )
})
