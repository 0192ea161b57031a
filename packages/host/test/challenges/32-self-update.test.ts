import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'
import { apiClient } from '../../src/api/client.ts'
import type { RunningHost } from '../../src/running-host.ts'
import { textOf } from '../gateway/running-host.ts'
import { packVersion } from '../run/package.ts'
import { callerOf, person } from '../run/person.ts'
import { packageRegistry } from '../run/registry.ts'

const apiOf = ({ runningFile }: RunningHost) => apiClient(JSON.parse(readFileSync(runningFile, 'utf8')))

const said = async (running: RunningHost) => {
  await using mcp = await callerOf(running)
  return textOf(await mcp.tools.call('notes__read_note', {}))
}

it('a package that changes under the same range, and under the same version, is not started unasked', async () => {
  using ann = person()
  await using registry = await packageRegistry('@acme/notes', { notes: 'notes.js' })
  const npm = { npm_config_registry: registry.url, npm_config_fetch_retries: '0' }
  const machine = { ...ann.machine, environment: { ...ann.machine.environment, ...npm } }
  // the definitions stay the same: only the code is another
  const description = 'Reads a note'
  registry.publish('1.0.0', packVersion(ann.home, { version: '1.0.0', description }))
  ann.configure({ mcpServers: { notes: { command: 'npx', args: ['-y', '@acme/notes@^1'] } } })
  {
    await using running = await ann.run({ machine })
    await running.host.accept('notes')
    assert.match(await said(running), /^1\.0\.0/)
  }
  const evil = packVersion(ann.home, { version: '1.0.1', description })
  registry.publish('1.0.0', evil)
  registry.publish('1.0.1', evil)
  const before = registry.fetched.length
  await using running = await ann.run({ machine })
  assert.match(await said(running), /^1\.0\.0/)
  await running.host.servers.get('notes')?.restart()
  assert.match(await said(running), /^1\.0\.0/)
  assert.equal(registry.fetched.length, before, 'a start fetches nothing')
  // a person is shown what there is, and only then it runs
  const api = apiOf(running)
  const [outdated] = (await api.call('outdated')).items
  assert.deepEqual([outdated?.accepted, outdated?.available], ['1.0.0', '1.0.1'])
  assert.match(await said(running), /^1\.0\.0/)
  const { digest, changes } = await api.call('planUpdate', { server: 'notes' })
  assert.deepEqual(changes, [])
  assert.match(await said(running), /^1\.0\.0/)
  await api.call('update', { server: 'notes', digest })
  assert.match(await said(running), /^1\.0\.1/)
})
