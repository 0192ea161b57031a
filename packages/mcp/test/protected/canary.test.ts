import assert from 'node:assert/strict'
import { test } from 'node:test'
import { protect } from '../../src/auth-resource.ts'
import { type FetchHandler, toFetch } from '../../src/http.ts'
import { secretFor } from '../fixtures/canary.ts'
import { makeHolder } from '../fixtures/holder.ts'
import { startIssuer } from '../fixtures/issuer.ts'
import { overheard } from '../fixtures/overheard.ts'
import { gossip } from './gossip.ts'
import { alone, openSession, within } from './messages.ts'
import { address } from './vault.ts'

async function everything(handler: FetchHandler, headers: Record<string, string>): Promise<string[]> {
  const heard: string[] = []
  const send = async (message: object, more: Record<string, string> = {}) => {
    const own = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
    const init = { method: 'POST', headers: { ...own, ...headers, ...more }, body: JSON.stringify(message) }
    const response = await handler(new Request(address, init))
    heard.push(`${response.status} ${JSON.stringify([...response.headers])} ${await response.text()}`)
  }
  const session = await openSession(handler, headers, '2025-11-25')
  for (const name of ['tell', 'fail', 'crash', 'guarded', 'missing']) {
    const { message, headers: own } = alone('tools/call', { name, arguments: {} })
    await send(message, own)
    await send(message, { ...own, 'mcp-name': 'another' })
    await send(within('tools/call', { name }), session)
  }
  await send({ nonsense: true })
  return heard
}

test('canary: a token is found in no log, no error and no answer', async () => {
  await using issuer = await startIssuer(address)
  const holder = await makeHolder(address)
  const token = await issuer.sign({ scope: 'some' })
  const bound = await issuer.sign({ cnf: { jkt: holder.thumbprint } })
  const stale = await issuer.sign({ exp: 1 })
  const foreign = await issuer.sign({ aud: 'https://other.example' })
  const proof = await holder.prove(bound)
  const secrets = [token, bound, stale, foreign, proof, secretFor('opaque'), secretFor('introspection')]
  const introspection = { clientId: 'me', clientSecret: secretFor('introspection') }
  const base = { issuer: issuer.url, resource: address }
  const gates = [
    protect(base),
    protect({ ...base, jwksUri: 'http://127.0.0.1:1/jwks' }),
    protect({ ...base, introspection }),
    protect({ ...base, introspection: { ...introspection, endpoint: 'http://127.0.0.1:1/introspect' } }),
    protect({ ...base, dpop: { required: true, nonce: true } }),
  ]
  const shown = [
    ...[token, bound, stale, foreign, secretFor('opaque')].map((secret) => ({ authorization: `Bearer ${secret}` })),
  ]
  const heard = await overheard(async () => {
    const all: string[] = []
    for (const auth of gates) {
      const handler = toFetch(gossip(), { auth })
      for (const headers of [
        ...shown,
        { authorization: `DPoP ${bound}`, dpop: proof },
        { authorization: `Bearer ${token}x` },
      ]) {
        all.push(...(await everything(handler, headers)))
      }
    }
    return all
  })
  assert.match(heard, /seen .*ann/)
  assert.match(heard, /Cannot serve/)
  assert.match(heard, /Cannot check a token/)
  for (const secret of secrets) {
    const parts = secret.split('.').filter((part) => part.length > 12)
    for (const part of [secret, ...parts.slice(1)])
      assert.ok(!heard.includes(part), `"${part.slice(0, 20)}" was overheard`)
  }
})
