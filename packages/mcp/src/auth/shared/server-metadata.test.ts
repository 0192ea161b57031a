import assert from 'node:assert/strict'
import { test } from 'node:test'
import { carried } from '../../../test/auth/carried.ts'
import {
  assumedMetadata,
  processServerMetadata,
  serverMetadataLocations,
  serverMetadataRequest,
} from './server-metadata.ts'

const issuer = 'https://auth.example.com'
const network = carried(() => Response.json({}))

test('serverMetadataLocations: of an issuer without a path', () => {
  const expected = [
    'https://auth.example.com/.well-known/oauth-authorization-server',
    'https://auth.example.com/.well-known/openid-configuration',
  ]
  assert.deepEqual(serverMetadataLocations(issuer, network), expected)
  assert.deepEqual(serverMetadataLocations(`${issuer}/`, network), expected)
})

test('serverMetadataLocations: of an issuer with a path, in the order that is prescribed', () => {
  assert.deepEqual(serverMetadataLocations(`${issuer}/tenant1`, network), [
    'https://auth.example.com/.well-known/oauth-authorization-server/tenant1',
    'https://auth.example.com/.well-known/openid-configuration/tenant1',
    'https://auth.example.com/tenant1/.well-known/openid-configuration',
  ])
})

test('serverMetadataLocations: an issuer that must not be asked has none', () => {
  for (const address of ['http://auth.example.com', 'https://10.0.0.1', 'https://169.254.169.254', 'nonsense']) {
    assert.throws(() => serverMetadataLocations(address, network), { problem: 'address' }, address)
  }
})

test('serverMetadataRequest: asks for JSON and shows nothing', async () => {
  const net = carried(() => Response.json({}))
  await serverMetadataRequest(`${issuer}/x`, net)
  assert.deepEqual(
    net.sent.map(({ url, headers }) => [url.href, headers]),
    [[`${issuer}/x`, { accept: 'application/json' }]],
  )
})

test('processServerMetadata: takes the metadata of the issuer that was asked', async () => {
  const metadata = await processServerMetadata(Response.json({ issuer, token_endpoint: `${issuer}/token` }), [issuer])
  assert.equal(metadata?.token_endpoint, `${issuer}/token`)
})

const others = [
  `${issuer}/`,
  'https://AUTH.example.com',
  `${issuer}:443`,
  'https://evil.example',
  `${issuer}/a`,
  '',
  undefined,
]

for (const other of others) {
  test(`processServerMetadata: "${other}" is another issuer`, async () => {
    await assert.rejects(processServerMetadata(Response.json({ issuer: other }), [issuer]), { problem: 'issuer' })
  })
}

for (const response of [new Response('', { status: 404 }), new Response('<html>'), Response.json('text')]) {
  test('processServerMetadata: there may be none here', async () => {
    assert.equal(await processServerMetadata(response, [issuer]), undefined)
  })
}

test('processServerMetadata: a server that is broken does not say that there is none', async () => {
  await assert.rejects(processServerMetadata(new Response('', { status: 500 }), [issuer]), { problem: 'discovery' })
})

test('assumedMetadata: the places that were agreed on before there was metadata', () => {
  const { authorization_endpoint, token_endpoint, registration_endpoint } = assumedMetadata(issuer)
  const endpoints = [authorization_endpoint, token_endpoint, registration_endpoint]
  assert.deepEqual(endpoints, [`${issuer}/authorize`, `${issuer}/token`, `${issuer}/register`])
})
