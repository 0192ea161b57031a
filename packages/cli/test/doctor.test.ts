import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { lacking } from '../../../tools/lib/needs.ts'
import { programFile } from '../../../tools/lib/program-file.ts'
import { hasProgram } from './has-program.ts'
import { acceptServer, apiOf } from './host/host-api.ts'
import { hostHome } from './host/host-home.ts'
import { runCli } from './run-cli.ts'

const folder = mkdtempSync(join(tmpdir(), 'doctor-'))

const ill = programFile(new URL('./fixtures/ill.ts', import.meta.url))
const program = (way: string, ...args: string[]) => ['--', process.execPath, ill, way, ...args]

const reference = (variable: string) => `\${${variable}}`

interface Told {
  readonly works: boolean
  readonly cause?: string
  readonly line?: string
  readonly command?: string
}

/** Findings of doctor on one server, in both outputs, which must agree. */
async function examine(target: readonly string[], options: readonly string[] = []): Promise<Told> {
  const json = await runCli(['doctor', '--json', ...options, ...target])
  const plain = await runCli(['doctor', ...options, ...target])
  const [told] = JSON.parse(json.stdout).servers as [Told]
  assert.equal(json.exit, told.works ? 0 : 2)
  assert.equal(plain.exit, json.exit)
  const lines = plain.stdout.trimEnd().split('\n')
  // one line of cause and one command to paste, no more
  assert.equal(lines.length, told.works ? 1 : 2, plain.stdout)
  if (!told.works) {
    assert.ok(lines[0]?.includes(` ${told.cause}: `), lines[0])
    assert.equal(lines[1]?.trim(), told.command)
  }
  return told
}

async function listening<Kind extends Server>(server: Kind): Promise<AsyncDisposable & { readonly port: number }> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

const http = (listener: RequestListener) => listening(createHttpServer(listener))

describe('doctor tells the cause, and no other', () => {
  after(() => rmSync(folder, { recursive: true }))

  it('no binary', async () => {
    const missing = await examine(['--', 'no-such-program-anywhere'])
    assert.equal(missing.cause, 'no binary')
    assert.equal(missing.command, 'command -v no-such-program-anywhere')
    assert.equal((await examine(['--', 'uvx', 'shop'])).command, 'pip install uv')
    const script = join(folder, 'script')
    writeFileSync(script, '#!/bin/sh\n')
    chmodSync(script, 0o644)
    assert.deepEqual((await examine(['--', script])).command, `chmod +x ${script}`)
    const gone = await examine(['--', process.execPath, join(folder, 'gone.js')])
    assert.equal(gone.cause, 'no binary')
    assert.match(gone.line ?? '', /gone\.js.*not there/)
  })

  it('wrong Node', async () => {
    const shop = join(folder, 'shop')
    mkdirSync(shop)
    writeFileSync(join(shop, 'package.json'), '{ "name": "shop", "engines": { "node": ">=99.1" } }')
    writeFileSync(join(shop, 'server.js'), 'process.futureThing.start()\n')
    const told = await examine(['--', process.execPath, join(shop, 'server.js')])
    assert.equal(told.cause, 'wrong Node')
    assert.match(told.line ?? '', /It needs Node >=99\.1, and the one that runs it is v\d+/)
    assert.equal(told.command, 'npm install --global node@99')
    const option = await examine(['--', process.execPath, '--no-such-option-of-node', ill])
    assert.equal(option.cause, 'wrong Node')
  })

  it('variable', async () => {
    const told = await examine(program('variable'))
    assert.equal(told.cause, 'variable')
    assert.match(told.line ?? '', /SHOP_API_KEY is required/)
    assert.match(told.command ?? '', /^trunkline tools --env SHOP_API_KEY=VALUE -- /)
  })

  it('port: taken by another, and no server there', async () => {
    const taken = createTcpServer()
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
    const { port } = taken.address() as AddressInfo
    const told = await examine(program('port', String(port)))
    assert.equal(told.cause, 'port')
    assert.equal(told.command, `lsof -nP -iTCP:${port} -sTCP:LISTEN`)
    await new Promise((resolve) => taken.close(resolve))
    assert.equal((await examine([`http://127.0.0.1:${port}/mcp`])).cause, 'port')
  })

  it('noise on stdout, whether it does harm here or not', async () => {
    const told = await examine(program('noise'))
    assert.equal(told.cause, 'noise on stdout')
    assert.match(told.line ?? '', /Shop server v1\.0 listening/)
    assert.match(told.command ?? '', /ill\.(?:ts|mjs)'? noise <\/dev\/null 2>\/dev\/null \| head/)
    assert.equal((await examine(program('noise that spoils'), ['--timeout', '3'])).cause, 'noise on stdout')
  })

  it('401', async () => {
    await using server = await http((_request, response) => {
      response.writeHead(401, { 'www-authenticate': 'Bearer' }).end()
    })
    const url = `http://127.0.0.1:${server.port}/mcp`
    const told = await examine([url])
    assert.equal(told.cause, '401')
    assert.equal(told.command, `trunkline tools ${url}`)
  })

  it('several addresses, each with its own cause, in the order they were given', async () => {
    await using locked = await http((_request, response) => {
      response.writeHead(401, { 'www-authenticate': 'Bearer' }).end()
    })
    const urls = [`http://127.0.0.1:${locked.port}/mcp`, 'http://no-such-host.invalid/mcp']
    const json = await runCli(['doctor', '--json', ...urls])
    const { servers } = JSON.parse(json.stdout) as { servers: (Told & { name: string })[] }
    assert.deepEqual(
      servers.map(({ name, cause }) => [name, cause]),
      [
        [urls[0], '401'],
        [urls[1], 'DNS'],
      ],
    )
    const plain = await runCli(['doctor', ...urls])
    assert.deepEqual([plain.exit, json.exit], [2, 2])
    assert.equal(plain.stdout.trimEnd().split('\n').length, 4)
    assert.match(plain.stdout, /:\d+\/mcp 401: [\s\S]*invalid\/mcp DNS: /)
    assert.match(plain.stderr, /2 of 2 servers do not work/)
  })

  it('DNS', async () => {
    const told = await examine(['http://no-such-host.invalid/mcp'])
    assert.equal(told.cause, 'DNS')
    assert.equal(told.command, 'nslookup no-such-host.invalid')
  })

  it('TLS: an address that does not speak it, and a certificate of an unknown issuer', {
    skip: lacking('posix', hasProgram('openssl')),
  }, async () => {
    await using plain = await http((_request, response) => void response.end())
    const told = await examine([`https://127.0.0.1:${plain.port}/mcp`])
    assert.equal(told.cause, 'TLS')
    assert.equal(told.command, `trunkline tools http://127.0.0.1:${plain.port}/mcp`)
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2', '-nodes']
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:P-256',
        '-keyout',
        key,
        '-out',
        cert,
        ...subject,
      ],
      { stdio: 'ignore' },
    )
    const files = { key: readFileSync(key), cert: readFileSync(cert) }
    await using own = await listening(createHttpsServer(files, (_request, response) => void response.end()))
    const unknown = await examine([`https://127.0.0.1:${own.port}/mcp`])
    assert.equal(unknown.cause, 'TLS')
    assert.match(unknown.line ?? '', /not trusted here \(DEPTH_ZERO_SELF_SIGNED_CERT\)/)
    assert.match(unknown.command ?? '', /^openssl s_client -connect 127\.0\.0\.1:\d+/)
  })

  it('hang: a program, and an address', async () => {
    const told = await examine(program('hang'), ['--timeout', '2'])
    assert.equal(told.cause, 'hang')
    assert.match(told.command ?? '', /^trunkline trace tools --timeout 60 -- /)
    await using server = await http(() => {})
    assert.equal((await examine([`http://127.0.0.1:${server.port}/mcp`], ['--timeout', '2'])).cause, 'hang')
  })

  it('crash loop, at once and after the first answers', async () => {
    const told = await examine(program('crash'))
    assert.equal(told.cause, 'crash loop')
    assert.match(told.line ?? '', /exits with code 1 every time.*TypeError: Cannot read properties/)
    const later = await examine(program('crash after the start'))
    assert.equal(later.cause, 'crash loop')
    assert.match(later.line ?? '', /code 9 every time/)
  })

  it('memory', async () => {
    const told = await examine(['--', process.execPath, '--max-old-space-size=32', ill, 'memory'])
    assert.equal(told.cause, 'memory')
    assert.match(told.line ?? '', /heap out of memory/)
    assert.match(told.command ?? '', /--max-old-space-size=4096/)
  })

  it('bad schema', async () => {
    const told = await examine(program('schema'))
    assert.equal(told.cause, 'bad schema')
    assert.match(told.line ?? '', /inputSchema of "order"/)
    assert.match(told.command ?? '', /^trunkline tools --json order -- /)
    assert.equal((await examine(program('no type'))).cause, 'bad schema')
  })

  it('nothing, of a server that works', async () => {
    assert.equal((await examine(program('well'))).works, true)
  })
})

describe('doctor, of what is configured', () => {
  it('starts nothing that was not accepted, tells which package does not exist, names variables by file and line, and looks at what runs through the host', async () => {
    await using at = hostHome()
    await using registry = await http((_, response) => response.writeHead(404).end('{}'))
    writeFileSync(join(at.home, '.npmrc'), `registry=http://127.0.0.1:${registry.port}\nfetch-retries=0\n`)
    at.configure({
      mcpServers: {
        absent: { command: 'npx', args: ['-y', '@acme/absent'] },
        well: { command: process.execPath, args: [ill, 'well'] },
        strange: { command: process.execPath, args: [ill, 'crash'] },
        keyless: { command: process.execPath, args: [ill, 'well'], env: { KEY: reference('SHOP_KEY_OF_NOBODY') } },
      },
    })
    await at.up()
    await acceptServer(apiOf(at), 'well')
    const { exit, stdout } = await at.run('doctor', '--json')
    assert.equal(exit, 2)
    const told = Object.fromEntries(JSON.parse(stdout).servers.map((one: Told & { name: string }) => [one.name, one]))
    assert.equal(told.well.works, true)
    assert.deepEqual([told.strange.cause, told.strange.command], ['not accepted', 'trunkline accept strange'])
    // accepting it cannot help, so that is not advised
    assert.equal(told.absent.cause, 'no package')
    assert.match(
      told.absent.line,
      /^Cannot install "@acme\/absent": the registry has no such package; correct its name, /,
    )
    assert.match(told.absent.line, /take the server out with "trunkline remove absent"$/)
    assert.match(told.absent.command, /EDITOR.* \+\d+ \S+trunkline\.json$/)
    assert.equal(told.keyless.cause, 'variable')
    assert.match(told.keyless.line, /SHOP_KEY_OF_NOBODY is not set .*trunkline\.json:\d+/)
    assert.match(told.keyless.command, /SHOP_KEY_OF_NOBODY=VALUE trunkline up/)
    assert.equal((await at.run('doctor', 'well')).exit, 0)
    assert.match((await at.run('doctor', 'none')).stderr, /There is no server "none"\nThere are: /)
  })
})
