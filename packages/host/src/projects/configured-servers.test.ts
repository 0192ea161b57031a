import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { Config } from '../config/config.ts'
import { findPlaces } from '../config/places.ts'
import { secretFile } from '../config/secrets/secret-file.ts'
import { configuredServers } from './configured-servers.ts'

test('configuredServers: package runners get the certificates and proxies of the host, other programs do not', async () => {
  using folder = temporaryFolder()
  const network = { NODE_EXTRA_CA_CERTS: '/ca.pem', HTTPS_PROXY: 'http://127.0.0.1:1' }
  const environment = { TRUNKLINE_HOME: folder.path, HOME: folder.path, BROWSER: 'none', ...network }
  const machine = { platform: 'linux' as const, home: folder.path, environment }
  const places = findPlaces(machine)
  const mcpServers = { fetched: { command: 'npx', args: ['-y', 'a'] }, own: { command: 'node', args: ['a.js'] } }
  writeFileSync(join(folder.path, 'trunkline.json'), JSON.stringify({ mcpServers }))
  using config = new Config({ places, machine, isAccepted: () => false })
  const found = await configuredServers(await config.effective(), {
    ...{ machine, secrets: secretFile(places.secretsFile), project: undefined, environment: { PATH: '/bin' } },
  })
  const bases = found.map(({ spec }) => [spec.name, spec.launch.kind === 'program' && spec.launch.base])
  assert.deepEqual(Object.fromEntries(bases), { fetched: { PATH: '/bin', ...network }, own: { PATH: '/bin' } })
})
