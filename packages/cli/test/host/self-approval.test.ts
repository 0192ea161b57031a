import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { lacking } from '../../../../tools/lib/needs.ts'
import { commandPath as launcher } from '../command-path.ts'
import { hasProgram } from '../has-program.ts'
import { acceptServer, apiOf } from './host-api.ts'
import { type HostHome, hostHome, upstreamEntry } from './host-home.ts'

const run = promisify(execFile)
const fixture = join(import.meta.dirname, '../fixtures/self-approver.ts')
const skip = lacking('linux', process.platform === 'linux' && hasProgram('script'))
const command = [process.execPath, launcher]
const refusal = /Only a person can decide this, and \\?"[\w-]+\\?" \(process \d+\) started it/

interface Attempts {
  readonly [what: string]: string | { readonly status: number; readonly text: string }
}

async function hostWithTool(at: HostHome): Promise<string> {
  at.configure({ mcpServers: { one: upstreamEntry }, policy: { ask: ['one:write'] } })
  const { ready } = await at.up()
  await acceptServer(apiOf(at), 'one')
  return ready.mcp ?? ''
}

async function attempts(at: HostHome, given: object): Promise<Attempts> {
  const running = join(at.home, '.local/state/trunkline/running.json')
  const { CI: _ci, ...own } = process.env
  const env = { ...own, ...at.env, TERM: 'xterm' }
  const words = [fixture, JSON.stringify({ command, running, more: [], ...given })]
  const { stdout } = await run(process.execPath, words, { env, cwd: at.project })
  return JSON.parse(stdout)
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

describe('a caller that answers its own question', { skip }, () => {
  it('is refused after it closed its HTTP connection, by every door', async () => {
    await using at = hostHome()
    const mcp = await hostWithTool(at)
    const { token } = await apiOf(at).call('addClient', { name: 'agent' })
    const more = [['clients', 'revoke', 'agent'], ['remove', 'one'], ['forget'], ['logout', 'one']]
    await assertRefused(at, await attempts(at, { way: 'closed', mcp, token, more }))
    assert.equal(
      (await apiOf(at).call('clients')).items.some(({ name }) => name === 'agent'),
      true,
    )
  })

  it('is refused behind a script of its own, and after it killed its bridge', async () => {
    await using at = hostHome()
    const mcp = await hostWithTool(at)
    const wrapper = join(at.project, 'wrapper.sh')
    writeFileSync(wrapper, `'${process.execPath}' '${launcher}' stdio --client agent\ntrue\n`)
    await assertRefused(at, await attempts(at, { way: 'closed', mcp, bridge: ['sh', wrapper] }))
    const bridge = [...command, 'stdio', '--client', 'agent']
    await assertRefused(at, await attempts(at, { way: 'killed', mcp, bridge }))
  })
})
