import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { connect } from '@trunkline/mcp'
import { type ChildChannel, spawnChannel } from '@trunkline/mcp/stdio'
import { commandPath as command } from '../../../cli/test/command-path.ts'
import { hostHome } from '../../../cli/test/host/host-home.ts'

it('a month: the editor that came first is killed with all it started, and the others notice nothing', async () => {
  await using at = hostHome()
  const env = Object.fromEntries(Object.entries(at.env).flatMap(([name, value]) => (value ? [[name, value]] : [])))
  let child: ChildChannel | undefined
  const dial = async (name: string) => {
    const args = [command, 'stdio', '--client', name]
    return connect(() => {
      child = spawnChannel({ command: process.execPath, args, cwd: at.project, env })
      return child
    })
  }
  const first = await dial('first')
  const pid = child?.pid ?? 0
  await using second = await dial('second')
  const hostPid = () => JSON.parse(readFileSync(join(at.home, '.local/state/trunkline/running.json'), 'utf8')).pid
  const before: number = hostPid()
  // editors take their whole process group along
  process.kill(-pid, 'SIGKILL')
  assert.ok(await first.whenClosed)
  let tools = await second.tools.list().all()
  while (tools.length === 0) tools = await second.tools.list().all()
  assert.ok(tools.some(({ name }) => name === 'files__read_file'))
  assert.equal(hostPid(), before)
  process.kill(before, 0)
})
