import assert from 'node:assert/strict'
import { type ChildProcess, execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, afterEach, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { lacking } from '../../../../tools/lib/needs.ts'
import { programFile } from '../../../../tools/lib/program-file.ts'
import { commandPath as launcher } from '../command-path.ts'
import { hasProgram } from '../has-program.ts'
import { acceptServer, apiOf } from './host-api.ts'
import { type HostHome, hostHome, upstreamEntry } from './host-home.ts'

const run = promisify(execFile)
const fixture = programFile(new URL('../fixtures/self-approver.ts', import.meta.url))
const skip = lacking('linux', process.platform === 'linux' && hasProgram('script'))
const command = [process.execPath, launcher]
const refusal = /Only a person can decide this, and \\?"[\w-]+\\?" \(process \d+\) started it/

interface Attempts {
  readonly [what: string]: string | { readonly status: number; readonly text: string }
}

async function hostWithTool(at: HostHome): Promise<{ readonly mcp: string; readonly child: ChildProcess }> {
  at.configure({ mcpServers: { one: upstreamEntry }, policy: { ask: ['one:write'] } })
  const { ready, child } = await at.up()
  await acceptServer(apiOf(at), 'one')
  return { mcp: ready.mcp ?? '', child }
}

const runningFile = ({ home }: HostHome) => join(home, '.local/state/trunkline/running.json')

/** Starts the caller that tries; what came of its attempts is the last line that it prints. */
function trying(at: HostHome, given: object) {
  const { CI: _ci, ...own } = process.env
  const env = { ...own, ...at.env, TERM: 'xterm' }
  const words = [fixture, JSON.stringify({ command, running: runningFile(at), more: [], ...given })]
  const caller = run(process.execPath, words, { env, cwd: at.project })
  const attempts = caller.then(({ stdout }): Attempts => JSON.parse(stdout.trim().split('\n').at(-1) ?? ''))
  return { process: caller.child, attempts }
}

const attempts = (at: HostHome, given: object) => trying(at, given).attempts

/** Ends the host as the system does when memory is short, and starts it again. */
async function restart(at: HostHome, host: ChildProcess): Promise<void> {
  const { pid } = JSON.parse(readFileSync(runningFile(at), 'utf8'))
  const ended = once(host, 'exit')
  process.kill(pid, 'SIGKILL')
  await ended
  await at.up()
  assert.notEqual(JSON.parse(readFileSync(runningFile(at), 'utf8')).pid, pid)
}

async function assertRefused(at: HostHome, { open, code, answer, inbox, ...more }: Attempts): Promise<void> {
  for (const one of [code, answer]) {
    const { status, text } = one as { status: number; text: string }
    assert.equal(status, 403, text)
    assert.match(text, refusal)
  }
  for (const one of [open, inbox, ...Object.values(more)]) {
    assert.match(String(one), refusal)
    assert.match(String(one), /exit:5$/)
  }
  const { items } = await apiOf(at).call('ledger', { target: 'write' })
  assert.deepEqual(
    items.filter(({ line }) => line.kind === 'ended' && line.outcome === 'ok'),
    [],
  )
}

/** Answers every question with a refusal, as a person. */
async function refuseAll(at: HostHome): Promise<void> {
  const api = apiOf(at)
  for (const { id } of (await api.call('inbox')).items)
    await api.call('answer', { id, choice: 'refuse', door: 'terminal' })
}

describe('a caller that answers its own question', { skip }, () => {
  // one host for all: each test has callers with names of its own
  const at = hostHome()
  let mcp: string
  let child: ChildProcess
  before(async () => {
    ;({ mcp, child } = await hostWithTool(at))
  })
  // what a caller asked before is no question of the next one
  afterEach(() => refuseAll(at))
  after(() => at[Symbol.asyncDispose]())

  it('is refused after it closed its HTTP connection, by every door', async () => {
    const { token } = await apiOf(at).call('addClient', { name: 'agent' })
    const more = [['clients', 'revoke', 'agent'], ['remove', 'one'], ['forget'], ['logout', 'one']]
    await assertRefused(at, await attempts(at, { way: 'closed', mcp, token, more }))
    assert.equal(
      (await apiOf(at).call('clients')).items.some(({ name }) => name === 'agent'),
      true,
    )
  })

  it('is refused behind a script of its own, and after it killed its bridge', async () => {
    const wrapper = join(at.project, 'wrapper.sh')
    writeFileSync(wrapper, `'${process.execPath}' '${launcher}' stdio --client wrapped\ntrue\n`)
    await assertRefused(at, await attempts(at, { way: 'closed', mcp, bridge: ['sh', wrapper] }))
    const bridge = [...command, 'stdio', '--client', 'wrapped']
    await assertRefused(at, await attempts(at, { way: 'killed', mcp, bridge }))
  })

  it('is refused after the host was killed and started again, over HTTP and through a bridge', async () => {
    const { token } = await apiOf(at).call('addClient', { name: 'second' })
    const bridge = [...command, 'stdio', '--client', 'fresh']
    const callers = [trying(at, { way: 'restarted', mcp, token }), trying(at, { way: 'restarted', mcp, bridge })]
    await Promise.all(callers.map(({ process: { stdout } }) => once(stdout ?? assert.fail(), 'data')))
    await restart(at, child)
    for (const { process } of callers) process.stdin?.end()
    for (const tried of await Promise.all(callers.map(({ attempts }) => attempts))) await assertRefused(at, tried)
  })
})
