import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { test } from 'node:test'
import { inspect } from 'node:util'
import '../no-leaks.ts'
import { clientCredentials, enterpriseManaged, memorySecrets, signIn, workloadIdentity } from '../../src/auth.ts'
import type { Authorizer } from '../../src/rpc/authorizer.ts'
import { canary, secretFor } from '../fixtures/canary.ts'
import { ask, browse } from './ask.ts'
import type { Defects } from './defects.ts'
import { type Hostile, hostileServer } from './hostile-server.ts'

const client = { clientId: 'client', clientSecret: secretFor('client-secret/+ü') }
const store = memorySecrets()

type Way = (server: Hostile) => Authorizer

const ways: { readonly [name: string]: Way } = {
  signIn: () => signIn({ store: memorySecrets(), client, open: browse }),
  clientCredentials: () => clientCredentials(client),
  'clientCredentials with a key': () => clientCredentials({ clientId: 'client', privateKey: secretFor('private-key') }),
  workloadIdentity: () => workloadIdentity({ ...client, assertion: () => secretFor('assertion') }),
  enterpriseManaged: ({ issuer }) => {
    const identity = () => ({ token: secretFor('identity') })
    return enterpriseManaged({ ...client, identityProvider: { issuer, client, identity } })
  },
}

const closed = `http://127.0.0.1:1/${canary}`

const failures: { readonly [what: string]: Defects } = {
  'a refusal that repeats all': { tokenError: 'invalid_request', echoes: true },
  'a refusal by the secret': { tokenError: client.clientSecret },
  'a refusal by the secret in another form': { tokenError: encodeURIComponent(client.clientSecret) },
  'a redirect': { tokenRedirect: 'http://127.0.0.1:1/' },
  'a token endpoint without a listener': { tokenEndpoint: closed },
  'a token endpoint that is no address': { tokenEndpoint: 'nonsense' },
  'a token that breaks its header': { accessToken: `${secretFor('access')}\r\nset-cookie: a` },
  'another issuer': { iss: 'https://evil.example' },
  'a user who says no': { denial: 'access_denied' },
  'a server that takes no token': { refuses: 401 },
  'a server that wants ever more': { refuses: 403, scope: 'admin' },
}

for (const [name, way] of Object.entries(ways)) {
  for (const [what, defects] of Object.entries(failures)) {
    test(`secrets: ${name} reports ${what} and no secret`, async () => {
      await using server = await hostileServer({ clientSecret: 'of somebody else', ...defects })
      const outcome = await ask(server.url, way(server)).catch((error: unknown) => error)
      assertClean(inspect(outcome, { depth: Number.POSITIVE_INFINITY, showHidden: true }))
      if (outcome instanceof Error) assertClean(`${outcome.message} ${outcome.stack} ${JSON.stringify(outcome)}`)
    })
  }
}

function assertClean(text: string): void {
  // of an address no more is repeated than where it leads
  assert.ok(!text.includes(canary), text)
}

test('secrets: a refresh that fails reports no secret', async () => {
  await using server = await hostileServer()
  await ask(server.url, signIn({ store, client, open: browse }))
  server.revokeAll()
  Object.assign(server.defects, { tokenError: 'server_error', echoes: true })
  const failure = await ask(server.url, signIn({ store, client, open: browse })).catch((error: unknown) => error)
  assert.match(String(failure), /server_error/)
  assertClean(inspect(failure, { depth: Number.POSITIVE_INFINITY, showHidden: true }))
})

test('secrets: an authorizer that is printed shows none', async () => {
  await using server = await hostileServer()
  for (const way of Object.values(ways)) {
    const authorizer = way(server)
    await ask(server.url, authorizer).catch(() => {})
    assertClean(inspect(authorizer, { depth: Number.POSITIVE_INFINITY, showHidden: true }))
    assertClean(JSON.stringify(authorizer))
  }
})

test('secrets: none is in an address that a server sees, apart from the way back of the browser', async () => {
  await using server = await hostileServer()
  for (const way of Object.values(ways)) await ask(server.url, way(server)).catch(() => {})
  assert.ok(server.count('/token') > 3)
  for (const { url } of server.seen) assertClean(url.href)
})

test('secrets: a program prints none, not even when it breaks down or finds no browser', async () => {
  await using server = await hostileServer({ tokenError: 'invalid_request', echoes: true })
  const source = `const { clientCredentials, memorySecrets, signIn } = await import(${JSON.stringify(new URL('../../src/auth.ts', import.meta.url))})
    const { ask } = await import(${JSON.stringify(new URL('./ask.ts', import.meta.url))})
    const url = ${JSON.stringify(server.url)}
    const limits = { maxSignInMs: 100 }
    await ask(url, signIn({ store: memorySecrets(), limits, client: ${JSON.stringify(client)} })).catch(console.error)
    await ask(url, clientCredentials(${JSON.stringify(client)}))`
  const env = { ...process.env, PATH: '/nowhere' }
  const program = spawn(process.execPath, ['--input-type=module'], { env, stdio: ['pipe', 'pipe', 'pipe'] })
  program.stdin.end(source)
  const said = (await Promise.all([program.stdout.toArray(), program.stderr.toArray()])).flat().join('')
  assert.match(said, /Open this page to sign in: http/)
  assert.match(said, /invalid_request/)
  // Node prints the line that broke down, which is that of the test
  assertClean(said.replaceAll(/^.*clientSecret.*$/gm, ''))
})
