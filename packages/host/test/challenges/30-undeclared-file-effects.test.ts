import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Client } from '@trunkline/mcp'
import { parseRule } from '../../src/policy/parse-rule.ts'
import { commandHash, type ProgramLaunch } from '../../src/servers/launch.ts'
import type { SandboxSettings } from '../../src/servers/sandbox/settings.ts'
import type { ServerSpec } from '../../src/servers/server-spec.ts'
import { programSpec, type RunningHost, runningHost, textOf } from '../gateway/running-host.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const allow = parseRule('allow', '*:*', { layer: 'user', file: 'trunkline.json', line: 1 })

function works(program: string, ...args: string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Containers may forbid the means of bubblewrap; then the host has to say so. */
const hasBubblewrap = works('bwrap', '--ro-bind', '/', '/', '--unshare-pid', '--proc', '/proc', 'true')

describe('a server in a sandbox', () => {
  const folder = temporaryFolder({ onDisk: true })
  const declared = join(folder.path, 'declared')
  const elsewhere = join(folder.path, 'elsewhere')
  const link = join(folder.path, 'link')
  const runtime = join(folder.path, 'runtime')
  for (const path of [declared, elsewhere]) mkdirSync(path)
  symlinkSync(declared, link)
  // a program whose name does not say that it is Node
  symlinkSync(process.execPath, runtime)
  const port = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  let running: RunningHost
  let mcp: Client

  const spec = (name: string, sandbox: SandboxSettings, more: Partial<ProgramLaunch> = {}): ServerSpec => {
    const { launch, ...rest } = programSpec(name, 'file-writer')
    return { ...rest, launch: { ...(launch as ProgramLaunch), sandbox, ...more } }
  }
  const nothingThere = { command: runtime, base: { PATH: '/nowhere' } }
  const servers = [
    spec('kernel', { writable: [link], by: 'bubblewrap', network: false }),
    spec('node', { writable: [declared], by: 'node' }),
    spec('either', { writable: [] }),
    spec('neither', { writable: [] }, nothingThere),
  ]
  const statusOf = (name: string) => running.host.servers.get(name)?.status.why ?? ''
  const call = (name: string, path: string) => mcp.tools.call(name, { path })

  before(async () => {
    running = await runningHost({ servers, rules: [allow] })
    mcp = await running.dial()
  })
  after(async () => {
    port.close()
    await mcp?.close()
    await running?.[Symbol.asyncDispose]()
    folder[Symbol.dispose]()
  })

  /** Writes where it may and where it may not, and looks at the files. */
  async function confines(server: string): Promise<void> {
    const permitted = await call(`${server}__write`, join(declared, server))
    assert.equal(permitted.isError, undefined, textOf(permitted))
    assert.ok(existsSync(join(declared, server, 'written')))
    const target = join(elsewhere, server)
    const refused = await call(`${server}__write`, target)
    assert.equal(refused.isError, true)
    assert.match(textOf(refused), new RegExp(`The sandbox of server "${server}" refused: [^.]*${target}`))
    assert.equal(existsSync(target), false)
    assert.match(textOf(await call(`${server}__write_quietly`, elsewhere)), /nothing was written/)
    assert.equal(existsSync(join(elsewhere, 'written')), false)
    assert.match(statusOf(server), new RegExp(`^ready, in a sandbox of .*"${declared}" and nothing else`))
  }

  it('bubblewrap: undeclared files are not written, and refusals are named', async () => {
    if (!hasBubblewrap)
      return assert.match(statusOf('kernel'), /^ready, without a sandbox: bubblewrap (is not|does not)/)
    await confines('kernel')
    assert.match(statusOf('kernel'), /has no network; its sandbox refused \w+ ".*elsewhere/)
    const { port: open } = port.address() as { readonly port: number }
    const dialled = await mcp.tools.call('kernel__dial', { port: open })
    assert.equal(dialled.isError, true, textOf(dialled))
  })

  it("Node's permission model: the same, and the status names it", async () => {
    await confines('node')
    assert.match(statusOf('node'), /its sandbox refused FileSystemWrite ".*elsewhere/)
    const lines = running.host.servers.get('node')?.log.lines.map(({ text }) => text) ?? []
    assert.ok(lines.some((line) => line.startsWith("(host) it runs in a sandbox of Node's permission model")))
  })

  it('without a choice the strongest that works is taken, and nothing declared is nothing written', async () => {
    const refused = await call('either__write', join(declared, 'either'))
    assert.equal(refused.isError, true)
    assert.equal(existsSync(join(declared, 'either')), false)
    assert.match(
      statusOf('either'),
      hasBubblewrap ? /of bubblewrap: it can write nothing/ : /of Node's permission model/,
    )
  })

  it('where nothing can confine it, it runs and says so; where that is required, it does not', async () => {
    assert.match(
      statusOf('neither'),
      /^ready, without a sandbox: bubblewrap is not installed, and ".*runtime" is no program of Node$/,
    )
    const strict = spec('strict', { writable: [], required: true }, nothingThere)
    await running.host.apply([...servers, strict])
    await assert.rejects(running.host.accept('strict'), /Cannot start ".*" in a sandbox: bubblewrap is not installed/)
    assert.equal(running.host.servers.get('strict')?.status.state, 'needs you')
    const missing = spec('missing', { writable: [join(folder.path, 'absent')] })
    await running.host.apply([...servers, missing])
    await assert.rejects(running.host.accept('missing'), /"[^"]*absent" of sandbox.writable is not there; create it/)
  })

  it('a person is shown the sandbox, and asked again when it changes', async () => {
    const wider = spec('either', { writable: [declared] })
    await running.host.apply([...servers.slice(0, 2), wider])
    assert.equal(running.host.isAccepted('either'), false)
    const question = running.host.inbox.open.find(({ server }) => server === 'either')
    assert.equal(question?.detail.sandbox, `it can write "${declared}" and nothing else`)
    const loose = { ...(wider.launch as ProgramLaunch) }
    assert.notEqual(commandHash(loose), commandHash({ ...loose, sandbox: { writable: ['/'] } }))
  })
})
