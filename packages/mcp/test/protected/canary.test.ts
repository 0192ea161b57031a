import assert from 'node:assert/strict'
import { test } from 'node:test'
import { protect } from '../../src/auth-resource.ts'
import { type FetchHandler, toFetch } from '../../src/http.ts'
import { server } from '../../src/index.ts'
import { makeHolder } from '../fixtures/holder.ts'
import { startIssuer } from '../fixtures/issuer.ts'
import { alone, openSession, within } from './messages.ts'
import { address } from './vault.ts'

/** Everything that is printed while `run` runs, and all that it returns. */
async function overheard(run: () => Promise<readonly string[]>): Promise<string> {
  const streams = [process.stdout, process.stderr] as const
  const originals = streams.map(({ write }) => write)
  const printed: string[] = []
  for (const stream of streams) {
    stream.write = ((chunk: string | Uint8Array) => {
      printed.push(chunk.toString())
      return true
    }) as typeof stream.write
  }
  try {
    const returned = await run()
    return [...printed, ...returned].join('\n')
  } finally {
    streams.forEach((stream, at) => {
      stream.write = originals[at] as typeof stream.write
    })
  }
}

/** A server that tells all it knows, and breaks in every way. */
function gossip() {
  return server({ name: 'gossip', version: '1' })
    .use((next) => (request) => {
      const { origin } = request.incoming
      console.error('seen', JSON.stringify(origin), origin?.headers?.get('authorization'), request.caller)
      return next(request)
    })
    .tool('tell', {}, (_, { caller, meta }) => ({ caller, meta }))
    .tool('fail', {}, (_, { caller }) => {
      throw new Error(`Cannot serve ${JSON.stringify(caller)}`)
    })
    .tool('crash', {}, () => (undefined as never as { a: { b: string } }).a.b)
    .tool('guarded', { scopes: ['more'] }, () => 'never')
}

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
  const secrets = [token, bound, stale, foreign, proof, 'canary-opaque', 'canary-secret']
  const introspection = { clientId: 'me', clientSecret: 'canary-secret' }
  const base = { issuer: issuer.url, resource: address }
  const gates = [
    protect(base),
    protect({ ...base, jwksUri: 'http://127.0.0.1:1/jwks' }),
    protect({ ...base, introspection }),
    protect({ ...base, introspection: { ...introspection, endpoint: 'http://127.0.0.1:1/introspect' } }),
    protect({ ...base, dpop: { required: true, nonce: true } }),
  ]
  const shown = [
    ...[token, bound, stale, foreign, 'canary-opaque'].map((secret) => ({ authorization: `Bearer ${secret}` })),
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
