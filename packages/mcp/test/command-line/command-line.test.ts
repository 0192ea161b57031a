import assert from 'node:assert/strict'
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { connect } from '@trunkline/mcp'
import { ownHosts } from '@trunkline/mcp/node'

const program = join(import.meta.dirname, 'program.ts')

function start(...args: readonly string[]): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [program, ...args])
}

async function ended(...args: readonly string[]): Promise<{ code: number | null; out: string; err: string }> {
  const child = start(...args)
  let [out, err] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, out, err }
}

/** A program that serves over HTTP, with what it said until it did. */
async function serving(...args: readonly string[]) {
  const child = start(...args)
  let said = ''
  for await (const chunk of child.stderr) {
    said += chunk
    if (said.includes('Serving MCP at ')) break
  }
  const url = new URL(/Serving MCP at (\S+)/.exec(said)?.[1] ?? '')
  const dispose = async (): Promise<void> => {
    child.kill()
    await once(child, 'close')
  }
  return { url, said, [Symbol.asyncDispose]: dispose }
}

function statusFor(url: URL, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asking = request({ host: '127.0.0.1', port: url.port, path: '/mcp', headers: { host } }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    asking.on('error', reject).end()
  })
}

test('serveFromCommandLine: without flags it is served over stdio', async () => {
  await using client = await connect({ command: process.execPath, args: [program] })
  const { content } = await client.tools.call('hello', {})
  assert.deepEqual(content, [{ type: 'text', text: 'hi' }])
})

test('serveFromCommandLine: --help is answered, and nothing is served', async () => {
  for (const flag of ['--help', '-h']) {
    const { code, out, err } = await ended(flag)
    assert.equal(code, 0)
    assert.match(out, /--http \[host:\]port/)
    assert.equal(err, '')
  }
})

const refused = {
  '--htpp 3000': 'Cannot start: there is no flag "--htpp"; did you mean "--http"?',
  '--verbose': 'Cannot start: there is no flag "--verbose"',
  '3000': 'Cannot start: "3000" is not a flag',
  '--http': 'Cannot start: "--http" takes [host:]port',
  '--http --help': 'Cannot start: "--http" takes [host:]port',
  '--http= ': 'Cannot start: "--http" takes [host:]port',
  '--help=yes': 'Cannot start: "--help" takes nothing',
  '--allowed-hosts x': 'Cannot start: "--allowed-hosts" is for "--http"',
  '--http many': 'Cannot serve HTTP on "many": give a port, or host:port',
}

for (const [line, message] of Object.entries(refused)) {
  test(`serveFromCommandLine: refuses ${line.trim()}`, async () => {
    const { code, out, err } = await ended(...line.trim().split(' '))
    assert.equal(err.split('\n')[0], message)
    assert.match(err, /--allowed-hosts names/)
    assert.deepEqual([code, out], [2, ''])
  })
}

test('serveFromCommandLine: --http serves on loopback', async () => {
  await using it = await serving('--http=0')
  assert.equal(it.url.hostname, '127.0.0.1')
  await using client = await connect(it.url)
  assert.equal(client.server?.name, 'program')
  assert.equal(await statusFor(it.url, 'evil.example'), 403)
})

test('serveFromCommandLine: on every address it answers to the names of this machine, and to no other', async () => {
  await using it = await serving('--http', '0.0.0.0:0')
  assert.match(it.said, /^Others can reach this server, as localhost, .*; say --allowed-hosts for other names$/m)
  for (const host of ownHosts()) assert.notEqual(await statusFor(it.url, `${host}:${it.url.port}`), 403, host)
  assert.equal(await statusFor(it.url, 'evil.example'), 403)
  assert.equal(await statusFor(it.url, '0.0.0.0'), 403)
})

test('serveFromCommandLine: --allowed-hosts names those that are answered to', async () => {
  await using it = await serving('--http', '0.0.0.0:0', '--allowed-hosts', 'clock.example, clock.test')
  assert.doesNotMatch(it.said, /Others can reach/)
  assert.notEqual(await statusFor(it.url, 'clock.test'), 403)
  assert.equal(await statusFor(it.url, 'localhost'), 403)
})
