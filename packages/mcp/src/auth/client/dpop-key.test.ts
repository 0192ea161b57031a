import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { calculateJwkThumbprint, EmbeddedJWK, type JWK, jwtVerify } from 'jose'
import { DpopKey } from './dpop-key.ts'

const request = { method: 'POST', url: 'https://mcp.example.com/mcp?a=b#c' }

test('ProofKey.prove: signs what the request is, for the token it goes with', async () => {
  const key = await DpopKey.from()
  const { payload, protectedHeader } = await jwtVerify(await key.prove(request, 'token'), EmbeddedJWK, {
    typ: 'dpop+jwt',
  })
  assert.equal(payload.htm, 'POST')
  assert.equal(payload.htu, 'https://mcp.example.com/mcp')
  assert.equal(payload.ath, createHash('sha256').update('token').digest('base64url'))
  assert.equal(protectedHeader.alg, 'ES256')
  assert.equal(protectedHeader.jwk && 'd' in protectedHeader.jwk, false)
  assert.equal(await calculateJwkThumbprint(protectedHeader.jwk as JWK), await key.thumbprint())
})

test('ProofKey.prove: no proof is like another', async () => {
  const key = await DpopKey.from()
  const proofs = await Promise.all([key.prove(request, 'token'), key.prove(request, 'token')])
  const ids = await Promise.all(proofs.map(async (proof) => (await jwtVerify(proof, EmbeddedJWK)).payload.jti))
  assert.notEqual(ids[0], ids[1])
})

test('ProofKey.expect: the nonce of the server is in the next proofs', async () => {
  const key = await DpopKey.from()
  const nonce = async () => (await jwtVerify(await key.prove(request, 'token'), EmbeddedJWK)).payload.nonce
  assert.equal(await nonce(), undefined)
  key.expect('n-1')
  assert.equal(await nonce(), 'n-1')
  key.expect(null)
  assert.equal(await nonce(), 'n-1')
})

test('ProofKey.from: a key that was kept is the same key', async () => {
  const key = await DpopKey.from()
  const again = await DpopKey.from(JSON.parse(JSON.stringify(key.jwk)))
  assert.equal(await again.thumbprint(), await key.thumbprint())
  assert.equal(await again.handle.calculateThumbprint(), await key.thumbprint())
  assert.notEqual(await (await DpopKey.from()).thumbprint(), await key.thumbprint())
})
