import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { until } from '../../../../tools/lib/until.ts'
import { hostHome } from './host-home.ts'

const stateOf = (home: string) => join(home, '.local/state/trunkline')
const portOf = (address: string) => Number(new URL(address).port)

/** Resolves when a process has ended. */
async function gone(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0)
    } catch {
      return
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

describe('a host in the background', () => {
  // in this order: the second one ends the host of the first
  const at = hostHome()
  after(() => at[Symbol.asyncDispose]())

  it('proves itself by answering: files with the number of a living process, at a port of another program, are those of no host', async () => {
    const asked: (string | undefined)[] = []
    const foreign = createServer((request, response) => {
      asked.push(request.headers.authorization)
      response.end('{"proofs":["no"]}')
    }).listen(0, '127.0.0.1')
    await once(foreign, 'listening')
    const { port } = foreign.address() as AddressInfo
    const text = JSON.stringify({ url: `http://127.0.0.1:${port}/`, token: 'x', pid: process.pid, provesItself: true })
    mkdirSync(stateOf(at.home), { recursive: true })
    for (const file of ['running.json', 'lines.json']) writeFileSync(join(stateOf(at.home), file), text)
    const status = await at.run('status')
    assert.equal(status.exit, 4)
    assert.match(status.stderr, /No host runs/)
    const up = await at.run('up', '--detach', '--json')
    assert.equal(up.exit, 0, up.stderr)
    const { url, pid } = JSON.parse(up.stdout)
    assert.notEqual(pid, process.pid)
    assert.notEqual(portOf(url), port)
    assert.equal((await at.run('status')).exit, 0)
    assert.ok(asked.length > 0)
    assert.deepEqual(new Set(asked), new Set([undefined]), 'the secret is sent to no other program')
    foreign.close()
  })

  it('whose state is deleted ends and says why in a new log, and the next one starts', async () => {
    const { pid } = JSON.parse(readFileSync(join(stateOf(at.home), 'running.json'), 'utf8'))
    rmSync(stateOf(at.home), { recursive: true })
    await gone(pid)
    assert.match(readFileSync(join(stateOf(at.home), 'host.log'), 'utf8'), /was deleted or replaced while it ran/)
    const next = await at.run('up', '-d', '--json')
    assert.equal(next.exit, 0, next.stderr)
    assert.notEqual(JSON.parse(next.stdout).pid, pid)
  })
})

describe('a host in the foreground', () => {
  // in this order: the host that one of them starts runs in the next
  const at = hostHome()
  let first: Awaited<ReturnType<typeof at.up>>
  let last: Awaited<ReturnType<typeof at.up>>
  before(async () => {
    at.configure({ mcpServers: { off: { command: 'off', disabled: true } } })
    first = await at.up()
  })
  after(() => at[Symbol.asyncDispose]())

  it('of an earlier version, which cannot prove itself, is found by its process and its port', async () => {
    const file = join(stateOf(at.home), 'running.json')
    const { provesItself, ...earlier } = JSON.parse(readFileSync(file, 'utf8'))
    assert.equal(provesItself, true)
    writeFileSync(file, JSON.stringify(earlier))
    const status = await at.run('status')
    assert.equal(status.exit, 0)
    // a server that is disabled is listed all the same
    const disabled =
      /^off disabled: its entry at .*trunkline\.json:3 has "disabled": true; use it again: trunkline enable off$/m
    assert.match(status.stdout, disabled)
    assert.match((await at.run('doctor')).stdout, disabled)
  })

  it('writes the file by which commands find it again when that is deleted', async () => {
    const file = join(stateOf(at.home), 'running.json')
    rmSync(file)
    await until(() => existsSync(file))
    assert.equal((await at.run('down')).exit, 0)
  })

  it('has the port of its first start: names another program there instead of taking another one, and keeps no port for once', async () => {
    const foreign = createServer().listen(portOf(first.ready.mcp ?? ''), '127.0.0.1')
    await once(foreign, 'listening')
    const { exit, stderr } = await at.run('up')
    assert.equal(exit, 4)
    assert.match(stderr, new RegExp(`\\(process ${process.pid}\\) uses the port; end that program, or choose another`))
    foreign.close()
    const other = await at.up('--port', '0')
    assert.notEqual(portOf(other.ready.mcp ?? ''), portOf(first.ready.mcp ?? ''))
    await at.run('down')
    last = await at.up()
    assert.equal(portOf(last.ready.mcp ?? ''), portOf(first.ready.mcp ?? ''), 'a port for once is not kept')
  })

  it('ends when its state is deleted, and says why to its terminal', async () => {
    const { child } = last
    let said = ''
    child.stderr?.on('data', (data) => {
      said += data
    })
    const ended = once(child, 'close')
    rmSync(stateOf(at.home), { recursive: true })
    const [code] = await ended
    assert.equal(code, 4)
    assert.match(said, /The state of this host in .* was deleted or replaced while it ran, so it ends/)
    assert.equal(existsSync(join(stateOf(at.home), 'ledger-tip.json')), false)
  })
})
