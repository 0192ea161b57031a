import assert from 'node:assert/strict'
import { generateKeyPairSync, verify } from 'node:crypto'
import { test } from 'node:test'
import { FakeGithub, item, repository } from '../test/fake-github.ts'
import { call, clientOf, previewOf, problemOf } from '../test/test-client.ts'

const { publicKey, privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})

test('AppAccess: an app proves itself by its key, works with tokens of its installation, and asks for the next one in time', async () => {
  await using fake = await FakeGithub.start({
    '/repos/ada/open': repository('open'),
    '/repos/ada/open/issues/1': item(1),
  })
  let installations: object[] = [{ id: 5, account: { login: 'ada' } }]
  let given = 0
  let leftMs = 60_000
  fake.instead = ({ method, path }, authorization) => {
    if (!path.startsWith('/app')) return undefined
    const [, head = '', claims = '', signature = ''] = /^Bearer ([\w-]+)\.([\w-]+)\.([\w-]+)$/.exec(authorization) ?? []
    const isOurs = verify('sha256', Buffer.from(`${head}.${claims}`), publicKey, Buffer.from(signature, 'base64url'))
    const { iss, iat, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { [name: string]: number }
    const isInTime = Number(iat) < Date.now() / 1_000 && Number(exp) - Number(iat) <= 600
    if (!isOurs || !isInTime || `${iss}` !== '77') return { status: 401, body: { message: 'Bad credentials' } }
    if (path === '/app') return { status: 200, body: { slug: 'ada-helper' } }
    if (method === 'GET') return { status: 200, body: installations }
    given += path === '/app/installations/5/access_tokens' ? 1 : 0
    return { status: 201, body: { token: 'good', expires_at: new Date(Date.now() + leftMs).toISOString() } }
  }
  const app = { id: '77', key: privateKey }
  await using client = await clientOf({ url: fake.url, token: undefined, app })
  const issue = 'ada/open#1'
  assert.equal((await call(client, 'get_issue', { issue })).number, 1)
  assert.match(await previewOf(client, 'create_issue', { repo: 'ada/open', title: 'News' }), /as ada-helper\[bot\]/)
  const before = given
  leftMs = 3_600_000
  for (let times = 0; times < 3; times++) await call(client, 'get_issue', { issue })
  assert.equal(given, before + 1)
  const problemWith = async (changed: Partial<typeof app>) => {
    await using other = await clientOf({ url: fake.url, token: undefined, app: { ...app, ...changed } })
    const problem = await problemOf(other, 'get_issue', { issue })
    assert.match(`${problem?.next}`, /nothing was changed$/)
    return `${problem?.code}: ${problem?.message}`
  }
  const wrong = 'not_signed_in: Cannot reach GitHub: it does not know the app, or has another key for it'
  assert.equal(await problemWith({ id: '78' }), wrong)
  assert.match(await problemWith({ key: 'no key' }), /^not_signed_in: .*the key of the app is no private key/)
  installations = [...installations, { id: 6, account: { login: 'acme' } }]
  assert.match(await problemWith({}), /^refused: .*installed for "ada", "acme"/)
  installations = []
  assert.match(await problemWith({}), /^not_signed_in: .*not installed/)
})
