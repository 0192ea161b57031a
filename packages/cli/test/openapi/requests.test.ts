import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { runCli } from '../run-cli.ts'
import { newFolder, openWrapped, type Wrapped } from '../wrap/wrapped.ts'
import { allBytes, recordedDescription, recordingApi } from './recording-api.ts'

let api: Awaited<ReturnType<typeof recordingApi>>
let at: Wrapped
let secretsHome: string

const last = () => api.seen.at(-1) as NonNullable<(typeof api.seen)[number]>

describe('wrap --openapi: requests', () => {
  before(async () => {
    api = await recordingApi()
    const folder = newFolder()
    secretsHome = folder
    const file = join(folder, 'api.json')
    writeFileSync(file, recordedDescription(api.base))
    const set = await runCli(['secret', 'set', 'api.token'], { input: 's3cret\n', env: { HOME: folder } })
    assert.equal(set.exit, 0, set.stderr)
    const auth = ['bearer=secret:api.token', 'basic=env:NAME_AND_PASSWORD', 'query=env:KEY', 'cookie=env:SESSION']
    at = await openWrapped(['--openapi', file, ...auth.flatMap((one) => ['--auth', one])], {
      folder,
      env: { HOME: folder, NAME_AND_PASSWORD: 'ada:pw', KEY: 'k&1', SESSION: 'a;b' },
    })
  })
  after(async () => {
    await at[Symbol.asyncDispose]()
    await api[Symbol.asyncDispose]()
  })

  it('credentials are named: a secret of this machine or a variable, in the place the description says, there alone', async () => {
    await at.client.tools.call('as-bearer', {})
    assert.equal(last().headers.authorization, 'Bearer s3cret')
    await at.client.tools.call('as-basic', {})
    assert.equal(last().headers.authorization, `Basic ${Buffer.from('ada:pw').toString('base64')}`)
    await at.client.tools.call('as-query', {})
    assert.equal(last().url, '/api/v1/as/query?key=k%261')
    await at.client.tools.call('as-cookie', {})
    assert.equal(last().headers.cookie, 'session=a%3Bb')
    await at.client.tools.call('getPet', { id: '1' })
    assert.deepEqual([last().headers.authorization, last().headers.cookie], [undefined, undefined])
    const file = join(secretsHome, 'api.json')
    const missing = await runCli(['wrap', '--openapi', file, '--auth', 'bearer=secret:none'], {
      env: { HOME: secretsHome },
    })
    assert.equal(missing.exit, 1)
    assert.match(missing.stderr, /there is no secret "none"; keep one: trunkline secret set none/)
  })

  it('what climbs stays one part of its path, as an argument and in the address of a resource', async () => {
    const climbing = [
      '../../admin',
      '../../admin?x=1',
      '..%2f..%2fadmin',
      '%2e%2e/%2e%2e/admin',
      '..\\..\\admin',
      '..;/admin',
      '/admin',
      '//evil.example/x',
      'http://evil.example/',
      '@evil.example',
      '#x',
      '\t../admin',
    ]
    for (const id of climbing) {
      const { isError } = await at.client.tools.call('getPet', { id })
      assert.equal(isError ?? false, false, id)
      const { pathname, search } = new URL(last().url, api.base)
      assert.equal(decodeURIComponent(pathname.slice('/api/v1/pets/'.length)), id)
      assert.ok(!pathname.slice('/api/v1/pets/'.length).includes('/'), pathname)
      assert.equal(search, '')
    }
    const count = api.seen.length
    for (const id of ['..', '.', '']) assert.equal((await at.client.tools.call('getPet', { id })).isError, true)
    assert.equal(api.seen.length, count)
    await at.client.resources.read('openapi://pets/..%2F..%2Fadmin')
    assert.equal(last().url, '/api/v1/pets/..%2F..%2Fadmin')
    await assert.rejects(at.client.resources.read('openapi://pets/%2E%2E'), /no part of a path/)
    assert.ok(api.seen.every(({ url }) => url.startsWith('/api/v1/')))
  })

  it('bodies travel as the description says: forms, parts, text and bytes', async () => {
    const body = { name: 'Rex & Tom', tag: ['a', 'b'] }
    await at.client.tools.call('form', { body })
    assert.equal(last().headers['content-type'], 'application/x-www-form-urlencoded')
    assert.equal(last().body.toString(), 'name=Rex+%26+Tom&tag=a&tag=b')
    const tools = await at.client.tools.list().all()
    assert.match(JSON.stringify(tools.find(({ name }) => name === 'parts')?.inputSchema), /"photo":\{[^}]*base64/)
    await at.client.tools.call('parts', { body: { ...body, photo: allBytes.toString('base64') } })
    const type = last().headers['content-type'] ?? ''
    const parts = await new Response(new Uint8Array(last().body), { headers: { 'content-type': type } }).formData()
    assert.deepEqual([parts.get('name'), ...parts.getAll('tag')], ['Rex & Tom', 'a', 'b'])
    assert.ok(Buffer.from(await (parts.get('photo') as Blob).arrayBuffer()).equals(allBytes))
    await at.client.tools.call('text', { body: 'äöü\n' })
    assert.deepEqual([last().method, last().body.toString()], ['PUT', 'äöü\n'])
    await at.client.tools.call('upload', { body: allBytes.toString('base64') })
    assert.ok(last().body.equals(allBytes))
    const before = api.seen.length
    const missing = await at.client.tools.call('form', {})
    assert.equal(missing.isError, true)
    assert.match(JSON.stringify(missing.content), /body/)
    assert.equal(api.seen.length, before)
  })

  it('bytes of an answer come whole', async () => {
    const { content } = await at.client.tools.call('bytes', {})
    const [block] = content as unknown as { type: string; resource: { blob: string; mimeType: string } }[]
    assert.equal(block?.type, 'resource')
    assert.equal(block?.resource.mimeType, 'application/x-tar')
    assert.ok(Buffer.from(block?.resource.blob ?? '', 'base64').equals(allBytes))
    const { contents } = await at.client.resources.read('openapi://bytes')
    assert.ok(contents[0] && 'blob' in contents[0])
    assert.ok(Buffer.from(contents[0].blob, 'base64').equals(allBytes))
  })

  it('a call that is cancelled ends its request, which is not sent again', async () => {
    const stop = new AbortController()
    const before = api.seen.length
    const came = api.next()
    const calling = at.client.tools.call('hang', {}, { signal: stop.signal })
    await came
    stop.abort(new Error('enough'))
    await assert.rejects(calling, /enough/)
    await last().abandoned
    assert.equal(api.seen.length, before + 1)
  })
})
