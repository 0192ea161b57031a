import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { connect } from '@trunkline/mcp'
import { spawnChannel } from '@trunkline/mcp/stdio'
import { nodePath } from '../../../../tools/lib/node-under-test.ts'
import { until } from '../../../../tools/lib/until.ts'
import { commandPath as command } from '../../../cli/test/command-path.ts'
import { apiOf } from '../../../cli/test/host/host-api.ts'
import { type HostHome, hostHome } from '../../../cli/test/host/host-home.ts'
import { parseRule } from '../../src/policy/parse-rule.ts'
import { programSpec, runningHost } from '../gateway/running-host.ts'
import { noProc, processesOf } from './processes-of.ts'

it('a host that is killed again and again under four clients is started once each time, and all go on', {
  skip: noProc,
}, async () => {
  await using at = hostHome()
  const note = join(at.project, 'note.txt')
  writeFileSync(note, 'hello')
  // a client that was never added calls nothing
  assert.equal((await at.run('up', '--detach')).exit, 0)
  for (const name of ['one', 'two', 'three', 'four']) await apiOf(at).call('addClient', { name })
  const callers = await Promise.all(['one', 'two', 'three', 'four'].map((name) => dial(at, name)))
  const hosts = () => processesOf(`HOME=${at.home}`).filter(({ command }) => command.includes(' up '))
  for (let round = 0; round < 3; round += 1) {
    const { pid } = JSON.parse(readFileSync(join(at.home, '.local/state/trunkline/running.json'), 'utf8'))
    process.kill(pid, 'SIGKILL')
    await Promise.all(
      callers.map((mcp) => until(async () => (await tools(mcp)).includes('files__read_file'), 'the tools')),
    )
    assert.equal(hosts().length, 1, JSON.stringify(hosts()))
    for (const mcp of callers) {
      const { isError, content } = await mcp.tools.call('files__read_file', { path: note })
      assert.ok(!isError && JSON.stringify(content).includes('hello'), JSON.stringify(content))
    }
  }
  for (const mcp of callers) await mcp.close()
})

it('a server that ends at once is not started for each of 300 calls, and says when it is tried again', async () => {
  const rules = [parseRule('allow', '*:*', { layer: 'user', file: 'trunkline.json', line: 1 })]
  const spec = programSpec('crash', 'unruly')
  if (spec.launch.kind !== 'program') throw new Error('It is a program')
  const launch = { ...spec.launch, args: [...spec.launch.args, 'crash'] }
  await using running = await runningHost({ servers: [{ ...spec, launch, breaker: { firstWaitMs: 60_000 } }], rules })
  await using mcp = await running.dial()
  const said = new Set<string>()
  for (let count = 0; count < 300; count += 1) {
    const { isError, content } = await mcp.tools.call('crash__misbehave', {})
    assert.equal(isError, true)
    said.add((content[0] as { text: string }).text.replace(/in [\d.]+ s/, 'in N s'))
  }
  assert.ok(
    [...said].some((text) => /tried again in N s/.test(text)),
    [...said].join('\n'),
  )
  assert.equal(running.host.servers.get('crash')?.status.starts, 2)
})

function dial({ env, project }: HostHome, name: string) {
  const variables = Object.fromEntries(Object.entries(env).flatMap(([key, value]) => (value ? [[key, value]] : [])))
  const target = {
    command: nodePath,
    args: [command, 'stdio', '--client', name],
    cwd: project,
    env: variables,
  }
  return connect(() => spawnChannel(target))
}

async function tools(mcp: Awaited<ReturnType<typeof dial>>): Promise<readonly string[]> {
  try {
    return (await mcp.tools.list().all()).map(({ name }) => name)
  } catch {
    // the bridge answers calls under way when the host was killed
    return []
  }
}
