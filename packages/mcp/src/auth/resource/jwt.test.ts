import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generateKeyPair, SignJWT } from 'jose'
import { jwtVerifier } from './jwt.ts'

const issuer = 'https://issuer.example'
const mine = 'https://server.example/mcp'

async function verifying() {
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  const options = { issuer, audiences: [mine], algorithms: ['ES256'], leewayMs: 0, now: Date.now }
  const verify = jwtVerifier({ ...options, keys: async () => async () => publicKey })
  const sign = (audience: string | string[]) =>
    new SignJWT({ sub: 'alice', client_id: 'app' })
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt' })
      .setIssuer(issuer)
      .setAudience(audience)
      .setIssuedAt()
      .setExpirationTime('1m')
      .sign(privateKey)
  return { verify, sign }
}

test('jwtVerifier: a token for this server is verified, alone or among others', async () => {
  const { verify, sign } = await verifying()
  assert.equal((await verify(await sign(mine))).sub, 'alice')
  assert.equal((await verify(await sign(['https://other.example', mine]))).sub, 'alice')
})

test('jwtVerifier: a token for another server is refused', async () => {
  const { verify, sign } = await verifying()
  await assert.rejects(verify(await sign('https://other.example')), { name: 'TokenProblem', error: 'invalid_token' })
})
