import assert from 'node:assert/strict'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { textOf } from '../gateway/running-host.ts'
import { callerOf, person } from '../run/person.ts'

const library = fileURLToPath(new URL('../../../mcp/src/index.ts', import.meta.url))
const contract = fileURLToPath(new URL('../../../mcp/src/contract.ts', import.meta.url))

/** A server that notes that it was started, and declares the needs in `needs.json` when it runs. */
const program = `import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { serve, server } from ${JSON.stringify(library)}
import { contract } from ${JSON.stringify(contract)}
writeFileSync('started', '')
const requires = existsSync('needs.json') ? JSON.parse(readFileSync('needs.json', 'utf8')) : {}
await serve(server({ name: 'shop', version: '1', extensions: [contract({ requires })] }).tool('get_any', {}, () => 'x'))
`
const all = { env: ['SHOP_KEY'], programs: { node: '>=20' }, files: ['there.txt'], credentials: ['github.com'] }

/** Each need that is missing, with the message about it. */
const missing: readonly [needs: object, said: RegExp][] = [
  [{ ...all, env: ['SHOP_KEY', 'SHOP_NAME'] }, /needs the variable SHOP_NAME, which is not set; set it under "env"/],
  [
    { ...all, programs: { 'no-such-git': '>=1' } },
    /needs "no-such-git" >=1, and there is no such program .*install it/,
  ],
  [{ ...all, programs: { node: '>=900' } }, /needs "node" >=900, and there is \d+\.\d+\.\d+; install "node" >=900/],
  [{ ...all, runtime: { node: '>=900' } }, /needs "node" >=900, and there is/],
  [{ ...all, files: ['gone.txt'] }, /needs the file "gone.txt", which is not there; create it/],
]

it('a server with each of its needs missing in turn is not started, and names the remedy; then it is', async () => {
  using ann = person()
  const folder = join(ann.home, 'shop')
  mkdirSync(folder)
  const inFolder = (name: string) => join(folder, name)
  const needs = (requires: object) =>
    writeFileSync(inFolder('package.json'), JSON.stringify({ type: 'module', mcp: { requires } }))
  writeFileSync(inFolder('server.ts'), program)
  writeFileSync(inFolder('there.txt'), '')
  needs(missing[0]?.[0] ?? {})
  const env = { SHOP_KEY: 'x', NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '' }
  const shop = { command: process.execPath, args: ['server.ts'], cwd: folder, env }
  ann.configure({ mcpServers: { shop }, policy: { allow: ['*:*'] } })
  await using running = await ann.run()
  const { host } = running
  const question = host.inbox.open.find(({ kind }) => kind === 'start')
  assert.deepEqual(question?.detail.needs, [
    'the variable SHOP_KEY',
    'the variable SHOP_NAME',
    'the file "there.txt"',
    'the program "node" >=20',
    'an account at github.com',
  ])
  const status = () => host.servers.get('shop')?.status
  for (const [requires, said] of missing) {
    needs(requires)
    if (host.isAccepted('shop')) await assert.rejects(host.servers.get('shop')?.restart() ?? assert.fail(), said)
    else await assert.rejects(host.accept('shop'), said)
    assert.equal(status()?.state, 'needs you')
    assert.match(status()?.why ?? '', said)
    assert.equal(existsSync(inFolder('started')), false, 'it was not started')
  }
  // a program that a package names is looked up by its name, and no file of the package is run to ask for its version
  writeFileSync(inFolder('evil'), '#!/bin/sh\ntouch "$(dirname "$0")/ran"\n', { mode: 0o755 })
  needs({ ...all, programs: { './evil': '>=1' } })
  const refused = host.servers.get('shop')?.restart() ?? assert.fail()
  await assert.rejects(refused, /needs "\.\/evil" >=1, and that is no name of a program/)
  assert.equal(existsSync(inFolder('ran')), false)
  needs(all)
  await host.servers.get('shop')?.restart()
  assert.equal(status()?.state, 'ready')
  assert.equal(status()?.why, 'ready')
  await host.accept('shop')
  await using mcp = await callerOf(running)
  assert.equal(textOf(await mcp.tools.call('shop__get_any', {})), 'x')

  // requirements that only the server itself declares are known when it runs
  writeFileSync(inFolder('needs.json'), JSON.stringify({ files: ['later.txt'] }))
  await host.servers.get('shop')?.restart()
  assert.match(status()?.why ?? '', /^ready; It says that it needs the file "later.txt", which is not there; create it/)
  rmSync(inFolder('needs.json'))
})
