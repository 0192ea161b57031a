import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { packVersion } from '../../../host/test/run/package.ts'
import { inTerminal } from '../tmux.ts'
import { bystanderApi } from './bystander-api.ts'
import { acceptServer } from './host-api.ts'
import { hostHome } from './host-home.ts'

it('outdated lists newer versions; update shows the diff, asks, and runs what was agreed to', async () => {
  await using at = hostHome()
  const path = packVersion(at.home, { version: '1.0.0', description: 'Reads a note' })
  at.configure({ mcpServers: { notes: { command: 'npx', args: ['-y', path] } } })
  await at.up()
  const api = bystanderApi(JSON.parse(readFileSync(join(at.home, '.local/state/trunkline/running.json'), 'utf8')))
  await acceptServer(api, 'notes')
  packVersion(at.home, { version: '1.1.0', description: 'Reads any note' })
  assert.match((await at.run('outdated')).stdout, /notes +npm:@acme\/notes +1\.0\.0 +1\.1\.0 +trunkline update notes/)
  const { programs } = JSON.parse((await at.run('outdated', '--json')).stdout)
  assert.deepEqual([programs[0].server, programs[0].accepted, programs[0].available], ['notes', '1.0.0', '1.1.0'])
  const refused = await at.run('update', 'notes')
  assert.equal(refused.exit, 5)
  assert.match(refused.stderr, /Only a person can decide this/)

  const env = { HOME: at.home, PATH: `${at.env.PATH}`, NODE_COMPILE_CACHE: `${at.env.NODE_COMPILE_CACHE ?? ''}` }
  await using first = await inTerminal(['update', 'notes'], env)
  const shown = await first.until(/Run 1\.1\.0\? \[y\/n\]/)
  assert.match(shown, /Server "notes": 1\.0\.0 to 1\.1\.0[\s\S]*- Reads a note\n\+ Reads any note/)
  await first.answer('n')
  await first.until(/stays at 1\.0\.0[\s\S]*exit:5/)
  await using second = await inTerminal(['update'], env)
  await second.until(/Run 1\.1\.0\? \[y\/n\]/)
  await second.answer('y')
  await second.until(/Server "notes" runs 1\.1\.0[\s\S]*exit:0/)
  assert.equal((await api.call('servers')).items[0]?.program, 'npm:@acme/notes@1.1.0')
})
