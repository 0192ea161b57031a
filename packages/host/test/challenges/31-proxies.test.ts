import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { connect, type NetworkOptions } from '@trunkline/mcp'
import { parseRule } from '../../src/policy/parse-rule.ts'
import type { ServerSpec } from '../../src/servers/server-spec.ts'
import { type RunningHost, runningHost, textOf } from '../gateway/running-host.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { authority, type RunningProxy, startProxy, startUpstream, upstreamName } from './proxy-world.ts'

const allow = parseRule('allow', '*:*', { layer: 'user', file: 'trunkline.json', line: 1 })
const cwd = join(import.meta.dirname, '../..')
const run = promisify(execFile)

describe('proxies and own certificates', () => {
  const folder = temporaryFolder()
  const signed = authority(folder.path)
  const ca = readFileSync(signed.ca, 'utf8')
  let upstream: Awaited<ReturnType<typeof startUpstream>>
  let open: RunningProxy
  let closed: RunningProxy
  let running: RunningHost

  before(async () => {
    upstream = await startUpstream(signed)
    open = await startProxy()
    closed = await startProxy('ada:p:ss wörd')
    running = await runningHost({ rules: [allow], unattended: false })
  })
  after(async () => {
    await running?.[Symbol.asyncDispose]()
    for (const one of [open, closed, upstream]) await one?.[Symbol.asyncDispose]()
    folder[Symbol.dispose]()
  })

  const withPassword = (password: string): string =>
    closed.url.replace('://', `://ada:${encodeURIComponent(password)}@`)

  async function called(url: string, network: NetworkOptions): Promise<string> {
    await using mcp = await connect(new URL(`${url}/mcp`), { http: { network } })
    return textOf(await mcp.tools.call('get_name', {}))
  }

  it('connect: over TLS with an authority of its own, through a proxy, with and without a password', async () => {
    assert.equal(await called(upstream.secure, { proxy: open.url, ca }), 'upstream')
    assert.equal(await called(upstream.secure, { proxy: withPassword('p:ss wörd'), ca }), 'upstream')
    const { host } = new URL(upstream.secure)
    for (const { asked } of [open, closed]) assert.deepEqual(asked.at(-1), { asked: `CONNECT ${host}`, passes: true })
  })

  it('connect: an unencrypted request is asked of the proxy itself', async () => {
    assert.equal(await called(upstream.plain, { proxy: withPassword('p:ss wörd') }), 'upstream')
    assert.match(closed.asked.at(-1)?.asked ?? '', new RegExp(`^\\w+ http://${upstreamName}:\\d+/mcp$`))
  })

  it('connect: a wrong or missing password is a clear error, and never shows one', async () => {
    for (const [proxy, says] of [
      [
        withPassword('wrong-canary'),
        /the proxy http:\/\/127\.0\.0\.1:\d+ does not accept the name and password \(407\)/,
      ],
      [closed.url, /the proxy http:\/\/127\.0\.0\.1:\d+ wants a name and a password \(407\)/],
    ] as const)
      for (const url of [upstream.secure, upstream.plain])
        await assert.rejects(called(url, { proxy, ca }), (error: Error & { outcome?: string }) => {
          assert.match(error.message, says)
          assert.ok(!error.message.includes('canary'))
          return error.outcome === 'NotSent'
        })
  })

  it('connect: a proxy that is not there, or of another kind, is named', async () => {
    await assert.rejects(
      called(upstream.secure, { proxy: 'http://127.0.0.1:9' }),
      /the proxy http:\/\/127.0.0.1:9 cannot be reached \(ECONNREFUSED\)/,
    )
    await assert.rejects(
      called(upstream.secure, { proxy: 'socks5://127.0.0.1:9' }),
      /must be one of http: or https:, not socks5:/,
    )
  })

  it('connect: an unknown authority is reported as that, with the fix', async () => {
    await assert.rejects(
      called(upstream.secure, { proxy: open.url }),
      /nobody here knows who signed its certificate \(UNABLE_TO_VERIFY_LEAF_SIGNATURE\); give that authority in "network\.ca" or NODE_EXTRA_CA_CERTS$/,
    )
  })

  it('connect: exceptions and this machine are reached without the proxy', async () => {
    const before = open.asked.length
    const { port } = new URL(upstream.plain)
    assert.equal(await called(`http://127.0.0.1:${port}`, { proxy: open.url, noProxy: '' }), 'upstream')
    // its name is known to the proxy alone
    await assert.rejects(called(upstream.plain, { proxy: open.url, noProxy: '.test, other' }), /ENOTFOUND|EAI_AGAIN/)
    assert.equal(open.asked.length, before)
  })

  it('environment: a program of its own honours HTTPS_PROXY, NO_PROXY and NODE_EXTRA_CA_CERTS', async () => {
    const program = `import { connect } from '@trunkline/mcp'
      await using mcp = await connect(new URL('${upstream.secure}/mcp'))
      console.log(JSON.stringify((await mcp.tools.call('get_name', {})).content))`
    const env = { ...process.env, HTTPS_PROXY: open.url, NODE_EXTRA_CA_CERTS: signed.ca }
    const args = ['--input-type=module-typescript', '--eval', program]
    assert.match((await run(process.execPath, args, { env, cwd })).stdout, /"upstream"/)
    const failed = await run(process.execPath, args, { env: { ...env, NO_PROXY: '*' }, cwd }).catch((error) => error)
    assert.match(failed.stderr, /ENOTFOUND|EAI_AGAIN/)
  })

  it('doctor: says that it is the proxy', async () => {
    const env = { ...process.env, HTTPS_PROXY: withPassword('wrong'), NODE_EXTRA_CA_CERTS: signed.ca }
    const command = [join(cwd, '../cli/bin/trunkline.js'), 'doctor', '--json', `${upstream.secure}/mcp`]
    const { stdout } = await run(process.execPath, command, { env }).catch((error) => error)
    const [found] = JSON.parse(stdout).servers
    assert.equal(found.cause, 'proxy')
    assert.match(found.line, /^The proxy http:\/\/127\.0\.0\.1:\d+ does not accept the name and password \(407\)/)
  })

  it('host: remote servers are reached through the proxy, and so are their sign-in pages', async () => {
    const network = { proxy: withPassword('p:ss wörd'), ca }
    const spec = (name: string, path: string, more: NetworkOptions = network): ServerSpec => ({
      name,
      launch: { kind: 'remote', url: `${upstream.secure}${path}`, headers: {}, network: more },
    })
    const servers = [
      spec('site', '/mcp'),
      spec('private', '/private/mcp'),
      spec('refused', '/mcp', { ...network, proxy: withPassword('wrong') }),
    ]
    await running.host.apply(servers)
    await running.host.accept('site')
    await using mcp = await running.dial()
    assert.equal(textOf(await mcp.tools.call('site__get_name', {})), 'upstream')
    await running.host.accept('private')
    const question = running.host.inbox.open.find(({ kind }) => kind === 'sign-in')
    assert.match(String(question?.detail.page), new RegExp(`^https://${upstreamName}:\\d+/authorize\\?`))
    await assert.rejects(running.host.accept('refused'), /does not accept the name and password \(407\)/)
    assert.match(running.host.servers.get('refused')?.status.why ?? '', /does not accept the name and password \(407\)/)
  })
})
