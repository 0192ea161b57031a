import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { lacking } from '../../../../tools/lib/needs.ts'
import { programFile } from '../../../../tools/lib/program-file.ts'
import { commandPath as launcher } from '../command-path.ts'
import { hasProgram } from '../has-program.ts'
import { inTerminal, programInTerminal } from '../tmux.ts'
import { apiOf } from './host-api.ts'
import { hostHome, upstreamEntry } from './host-home.ts'

const run = promisify(execFile)
const caller = programFile(new URL('../fixtures/caller.ts', import.meta.url))
const skip = lacking('linux', process.platform === 'linux' && hasProgram('script'))

describe('deciding, by a process that a connected caller started', { skip }, () => {
  // one host for all; in this order: the last one accepts a server
  const at = hostHome()
  let mcp: string
  before(async () => {
    at.configure({ mcpServers: { one: upstreamEntry, two: upstreamEntry } })
    mcp = (await at.up()).ready.mcp ?? ''
  })
  after(() => at[Symbol.asyncDispose]())

  it('is refused whether the caller is connected over HTTP or through stdio, and open to all others', async () => {
    const { token } = await apiOf(at).call('addClient', { name: 'agent' })
    const started = async (way: string, given: readonly string[], ...commands: readonly (readonly string[])[]) => {
      const lines = commands.flatMap((command) => ['--', process.execPath, launcher, ...command])
      const { CI: _ci, ...own } = process.env
      const env = { ...own, ...at.env, TERM: 'xterm' }
      const words = [caller, way, mcp, ...given, ...lines]
      const { stdout } = await run(process.execPath, words, { env, cwd: at.project })
      // what each of them printed ends with its exit code
      return stdout.split(/(?<=^exit:\d+\n)/m)
    }
    const refusal = /Only a person can decide this, and "node" \(process \d+\) started it[\s\S]*exit:5/
    const decisions = [['accept', 'one'], ['inbox'], ['trust', 'one', '5m'], ['open', '--print']]
    // with another name it would have nothing read and nothing refused, and with that of an approver answer itself
    const names = [
      ['clients', 'add', 'fresh'],
      ['clients', 'add', 'mine', '--approver'],
    ]
    const overHttp = await started('http', [token], ...decisions, ...names)
    assert.equal(overHttp.length, decisions.length + names.length)
    for (const printed of overHttp) assert.match(printed, refusal)
    const accept = ['accept', 'one']
    const [overStdio = ''] = await started('stdio', [process.execPath, launcher, 'stdio'], accept)
    assert.match(overStdio, refusal)
    const through = ['sh', '-c', `'${process.execPath}' '${launcher}' stdio; true`]
    const [throughShell = ''] = await started('stdio', through, accept)
    assert.match(throughShell, refusal)
    // the same program, and nothing that is connected above it
    const [byOthers = ''] = await started('nobody', [], accept)
    assert.match(byOthers, /Accept it\? \[y\/n\] n[\s\S]*exit:5/)
    assert.equal((await apiOf(at).call('servers')).items[0]?.isAccepted, false)
  })

  it('is open to a person in the shell from which they started a client, while it runs and afterwards, and in another terminal', {
    skip: lacking('tmux', hasProgram('tmux')),
  }, async () => {
    const { PATH = '' } = process.env
    await using shell = await programInTerminal(['bash', '--norc'], { HOME: at.home, PATH })
    const command = `'${process.execPath}' '${launcher}'`
    await shell.type(`${command} watch -- ${command} stdio &`, 'Enter')
    await shell.until(/Watching/)
    await shell.type(`clear; ${command} accept one`, 'Enter')
    await shell.until(/Accept it\? \[y\/n\]/)
    await shell.type('C-c')
    await shell.until(/Interrupted/)
    await using another = await inTerminal(['accept', 'one'], { HOME: at.home, PATH })
    await another.until(/Accept it\? \[y\/n\]/)
    // a terminal that is killed does not end what its shell runs in the background
    await shell.type('clear; kill %1; wait %1; echo "ended: $?"', 'Enter')
    await shell.until(/ended: \d+/)
    await shell.type(`clear; ${command} accept one`, 'Enter')
    await shell.until(/Accept it\? \[y\/n\]/)
    await shell.type('C-c')
    await shell.until(/Interrupted/)
  })

  it('is open to a person in another pane of the tmux in which a client runs, and in another login', {
    skip: lacking('tmux', hasProgram('tmux')),
  }, async () => {
    const { PATH = '' } = process.env
    const variables = { HOME: at.home, PATH }
    const command = `'${process.execPath}' '${launcher}'`
    const words = [caller, 'stdio', mcp, process.execPath, launcher, 'stdio', '--']
    // it stays connected while others decide
    const agent = [process.execPath, ...words, 'sh', '-c', `${command} accept one; cat`]
    await using terminal = await programInTerminal(agent, variables)
    await terminal.until(/Only a person can decide this, and "[\w-]+" \(process \d+\) started it/)
    const pane = await terminal.split([process.execPath, launcher, 'accept', 'one'], variables)
    await pane.until(/Accept it\? \[y\/n\]/)
    await pane.answer('y')
    await pane.until(/Server "one" is accepted[\s\S]*exit:0/)
    Object.assign(at.env, { TERM: 'xterm' })
    const { stdout } = await at.login(
      process.execPath,
      caller,
      'nobody',
      '',
      '--',
      process.execPath,
      launcher,
      'accept',
      'two',
    )
    assert.match(stdout, /Accept it\? \[y\/n\] n[\s\S]*exit:5/)
    assert.doesNotMatch(await terminal.until(/Only a person/), /exit:/)
    const { items } = await apiOf(at).call('servers')
    assert.deepEqual(
      items.map(({ name, isAccepted }) => [name, isAccepted]),
      [
        ['one', true],
        ['two', false],
      ],
    )
  })
})
