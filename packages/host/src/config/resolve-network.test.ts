import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { specFromConfig } from '../servers/spec-from-config.ts'
import type { EffectiveConfig } from './effective.ts'
import { resolveNetwork } from './resolve-network.ts'
import type { ConfiguredLaunch, ResolvedServer } from './resolve-server.ts'

const folder = temporaryFolder()
const file = join(folder.path, 'trunkline.json')
process.once('exit', () => folder[Symbol.dispose]())

function resolved(network: object, environment: { readonly [name: string]: string } = {}) {
  const said = (path: string) => [{ path, said: [{ file, line: 3, standing: 'in effect' }] }]
  const config = { settings: { network }, explain: said } as unknown as EffectiveConfig
  const secrets = { get: async (name: string) => (name === 'proxy' ? 'http://me:hidden@proxy.test:1' : undefined) }
  return resolveNetwork(config, { environment, secrets, home: '/home/ann', workspace: undefined })
}

function launched(launch: ConfiguredLaunch, network: Awaited<ReturnType<typeof resolved>>, entry: object = {}) {
  const server = { name: 'one', entry, place: { file, line: 1 }, needs: [], sharing: 'shared', launch }
  const around = { environment: { PATH: '/bin' }, directory: '/', project: undefined, network }
  return specFromConfig(server as unknown as ResolvedServer, around).launch
}

const remote: ConfiguredLaunch = { type: 'http', url: 'https://a.test', headers: {} }
const program: ConfiguredLaunch = { type: 'stdio', command: 'one', args: [], env: {}, cwd: '/' }

test('resolveNetwork: the proxy of a secret and the certificates of a file reach remote servers', async () => {
  writeFileSync(join(folder.path, 'own.pem'), '-----BEGIN CERTIFICATE-----\n')
  const network = await resolved({ proxy: 'secret:proxy', noProxy: '.corp', ca: './own.pem' })
  const options = { proxy: 'http://me:hidden@proxy.test:1', noProxy: '.corp', ca: '-----BEGIN CERTIFICATE-----\n' }
  assert.deepEqual(network.options, options)
  assert.deepEqual((launched(remote, network) as { network?: object }).network, options)
})

test('resolveNetwork: a program gets them only where its entry says so, by configuration and else by environment', async () => {
  const network = await resolved({ noProxy: '.corp' }, { HTTPS_PROXY: 'http://p.test', NO_PROXY: 'x', TOKEN: 'secret' })
  const baseOf = (entry: object) => (launched(program, network, entry) as { base?: object }).base
  assert.deepEqual(baseOf({}), { PATH: '/bin' })
  const passed = { PATH: '/bin', HTTPS_PROXY: 'http://p.test', NO_PROXY: '.corp', no_proxy: '.corp' }
  assert.deepEqual(baseOf({ passNetwork: true }), passed)
  assert.equal((await resolved({})).options, undefined)
})

for (const [network, problem] of [
  [{ proxy: 'secret:missing' }, /network\.proxy.*there is no secret "missing"/],
  [{ proxy: 'socks5://me:canary@host' }, /network\.proxy.*is no address of a proxy/],
  [{ ca: './absent.pem' }, /network\.ca.*absent\.pem", which cannot be read: ENOENT/],
  [{ ca: './empty.pem' }, /network\.ca.*empty\.pem", which holds no certificate/],
] as const)
  test(`resolveNetwork: ${JSON.stringify(network)} is named, and nothing is reached without it`, async () => {
    writeFileSync(join(folder.path, 'empty.pem'), '')
    const launch = launched(remote, await resolved(network))
    assert.equal(launch.kind, 'unresolved')
    assert.match(launch.kind === 'unresolved' ? launch.needs : '', problem)
    assert.ok(!JSON.stringify(launch).includes('canary'))
  })
