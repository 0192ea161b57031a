import assert from 'node:assert/strict'
import { test } from 'node:test'
import { carried, paths } from '../../../test/auth/carried.ts'
import { discover } from './discover.ts'

const server = new URL('https://mcp.example.com/mcp')
const resource = 'https://mcp.example.com/mcp'
const prm = '/.well-known/oauth-protected-resource'
const asm = '/.well-known/oauth-authorization-server'
const oidc = '/.well-known/openid-configuration'

function asked({ sent }: { sent: readonly { url: URL }[] }): string[] {
  return sent.map(({ url }) => url.href.replace('https://', ''))
}

test('discover: asks where the server says, and then the issuer it names', async () => {
  const issuer = 'https://auth.example.com'
  const network = carried(paths({ '/meta': { resource, authorization_servers: [issuer] }, [asm]: { issuer } }))
  const found = await discover(server, { network, named: 'https://mcp.example.com/meta' })
  assert.equal(found.authorizationServer.issuer, issuer)
  assert.equal(found.resource.resource, resource)
  assert.deepEqual(asked(network), ['mcp.example.com/meta', `auth.example.com${asm}`])
})

test('discover: looks below the path, at the root, and at every place an issuer may have', async () => {
  const issuer = 'https://auth.example.com/t'
  const found = {
    [prm]: { resource: 'https://mcp.example.com', authorization_servers: [issuer] },
    [`/t${oidc}`]: { issuer },
  }
  const network = carried(paths(found))
  assert.equal((await discover(server, { network })).authorizationServer.issuer, issuer)
  const places = [`mcp.example.com${prm}/mcp`, `mcp.example.com${prm}`]
  const issuerPlaces = [`auth.example.com${asm}/t`, `auth.example.com${oidc}/t`, `auth.example.com/t${oidc}`]
  assert.deepEqual(asked(network), [...places, ...issuerPlaces])
})

test('discover: of several issuers takes one that is known, or else the first', async () => {
  const issuers = ['https://a.example.com', 'https://b.example.com']
  const network = carried(({ url }) => {
    const own = { resource, authorization_servers: issuers }
    return Response.json(url.host === 'mcp.example.com' ? own : { issuer: url.origin })
  })
  const { authorizationServer: first } = await discover(server, { network })
  assert.equal(first.issuer, issuers[0])
  const { authorizationServer: known } = await discover(server, {
    network,
    preferred: ['https://c.example.com', issuers[1] ?? ''],
  })
  assert.equal(known.issuer, issuers[1])
})

for (const issuer of ['https://mcp.example.com', 'https://mcp.example.com/']) {
  test(`discover: a server that names no issuer may be "${issuer}" itself`, async () => {
    const network = carried(paths({ [asm]: { issuer, token_endpoint: 'https://mcp.example.com/oauth/token' } }))
    const { authorizationServer, resource: own } = await discover(server, { network })
    assert.equal(authorizationServer.token_endpoint, 'https://mcp.example.com/oauth/token')
    assert.equal(own.resource, resource)
  })
}

test('discover: a server that says nothing at all is asked in the old places', async () => {
  const { authorizationServer } = await discover(server, { network: carried(paths({})) })
  assert.equal(authorizationServer.token_endpoint, 'https://mcp.example.com/token')
})

test('discover: an issuer that was named and says nothing is no reason to guess', async () => {
  const network = carried(paths({ [`${prm}/mcp`]: { resource, authorization_servers: ['https://auth.example.com'] } }))
  await assert.rejects(discover(server, { network }), { problem: 'discovery' })
})

test('discover: an issuer that must not be asked is not asked', async () => {
  const network = carried(paths({ [`${prm}/mcp`]: { resource, authorization_servers: ['https://169.254.169.254'] } }))
  await assert.rejects(discover(server, { network }), { problem: 'address' })
  assert.equal(network.sent.length, 1)
})
