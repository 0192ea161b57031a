import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type ApiClient, findPlaces, findRunning, type RunningAt, recordEnvironment } from '@trunkline/host/api'
import { lacking } from '../../../../tools/lib/needs.ts'
import { until } from '../../../../tools/lib/until.ts'
import { soon } from '../../../mcp/test/soon.ts'
import { commandPath as program } from '../command-path.ts'
import { hasProgram } from '../has-program.ts'
import { inTerminal } from '../tmux.ts'
import { bystanderApi } from './bystander-api.ts'
import { acceptServer, apiOf } from './host-api.ts'
import { type HostHome, hostHome, upstreamEntry } from './host-home.ts'

const placesOf = ({ home, env }: HostHome) => findPlaces({ platform: process.platform, home, environment: env })

/** Starts `trunkline stdio` with variables that its client added, and waits for the host. */
async function startedByClient(at: HostHome, variables: NodeJS.ProcessEnv): Promise<RunningAt & AsyncDisposable> {
  const env = { ...at.env, ...variables }
  const bridge: ChildProcess = spawn(process.execPath, [program, 'stdio'], { env, cwd: at.project })
  const closed = once(bridge, 'close')
  let running: RunningAt | undefined
  await until(async () => {
    running = await findRunning(placesOf(at))
    return running !== undefined
  }, 'the host that a client starts')
  if (!running) throw new Error('No host runs')
  return {
    ...running,
    async [Symbol.asyncDispose]() {
      bridge.stdin?.end()
      await soon(closed, 'the end of the bridge')
    },
  }
}

const environmentOf = (pid: number): { readonly [name: string]: string } =>
  Object.fromEntries(
    readFileSync(`/proc/${pid}/environ`, 'utf8')
      .split('\0')
      .filter((line) => line !== '')
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )

describe('the host that a client starts', { skip: lacking('linux', process.platform === 'linux') }, () => {
  const mcpServers = { one: upstreamEntry, two: upstreamEntry }
  let at: HostHome
  let client: Awaited<ReturnType<typeof startedByClient>>
  let api: ApiClient
  let witness: string
  let evil: string
  before(async () => {
    at = hostHome()
    witness = join(at.project, 'loaded')
    evil = join(at.project, 'evil.cjs')
    writeFileSync(evil, `require('node:fs').appendFileSync(${JSON.stringify(witness)}, process.pid + '\\n')`)
    writeFileSync(join(at.home, '.profile'), 'export REGION=from-profile\n')
    at.configure({ mcpServers: { ...mcpServers, region: { command: process.execPath, args: [`\${REGION}`] } } })
    client = await startedByClient(at, {
      TRUNKLINE_POLICY_MODE: 'observe',
      TRUNKLINE_POLICY_TAINT: 'off',
      NODE_OPTIONS: `--require ${evil}`,
      NODE_TLS_REJECT_UNAUTHORIZED: '0',
      LD_PRELOAD: join(at.project, 'evil.so'),
      BASH_ENV: evil,
      SHELL: evil,
      REGION: 'from-client',
    })
    api = apiOf(at)
  })
  after(async () => {
    await client[Symbol.asyncDispose]()
    await at[Symbol.asyncDispose]()
  })

  it('takes its settings from files alone', async () => {
    await until(async () => (await api.call('servers')).items.length > 0, 'what is configured')
    assert.equal((await api.call('policy')).mode, 'enforce')
    assert.equal((await api.call('taint')).mode, 'default')
  })

  it('loads no code that the environment of its client names', async () => {
    const loaded = existsSync(witness) ? readFileSync(witness, 'utf8').trim().split('\n').map(Number) : []
    assert.ok(loaded.length > 0, 'the bridge itself belongs to the client')
    assert.ok(!loaded.includes(client.pid))
    const found = environmentOf(client.pid)
    const names = ['NODE_OPTIONS', 'NODE_TLS_REJECT_UNAUTHORIZED', 'LD_PRELOAD', 'BASH_ENV']
    assert.deepEqual(
      names.filter((name) => name in found),
      [],
    )
    assert.notEqual(found.SHELL, evil)
  })

  it('knows the variables of the login shell, and none of its client', async () => {
    const command = async () => (await api.call('servers')).items.find(({ name }) => name === 'region')?.command ?? ''
    await until(async () => (await command()) !== '', 'the server')
    assert.match(await command(), /from-profile$/)
  })

  describe('and one of a home that its caller chose', () => {
    before(async () => {
      await acceptServer(api, 'one')
      await api.call('addClient', { name: 'mine' })
    })

    for (const variable of ['HOME', 'TRUNKLINE_HOME'] as const) {
      it(`by ${variable} are apart: each has acceptances, clients and settings of its own`, async () => {
        await using other = hostHome()
        if (variable === 'TRUNKLINE_HOME')
          Object.assign(other.env, { HOME: at.home, [variable]: join(other.home, 'all') })
        const { config, userFile } = placesOf(other)
        mkdirSync(config, { recursive: true })
        writeFileSync(userFile, JSON.stringify({ mcpServers, policy: { mode: 'observe', allow: ['*:*'] } }))
        await using chosen = await startedByClient(other, {})
        const otherApi = bystanderApi(chosen)
        assert.notEqual(chosen.pid, client.pid)
        await acceptServer(otherApi, 'two')
        await otherApi.call('addClient', { name: 'theirs' })
        assert.deepEqual(await acceptedBy(api), ['one'])
        assert.deepEqual(await acceptedBy(otherApi), ['two'])
        const named = async (one: ApiClient) => (await one.call('clients')).items.map(({ name }) => name)
        assert.deepEqual(
          [(await named(api)).includes('theirs'), (await named(otherApi)).includes('mine')],
          [false, false],
        )
        assert.deepEqual(
          [(await api.call('policy')).mode, (await otherApi.call('policy')).mode],
          ['enforce', 'observe'],
        )
        assert.match(
          (await at.run('call', 'two', 'echo', 'text=hello')).stderr,
          /Cannot use server "two": it was not accepted yet/,
        )
      })
    }
  })
})

describe('the host that a client starts after a person recorded the environment', {
  skip: lacking('linux', process.platform === 'linux'),
}, () => {
  it('finds programs, certificates and proxies as a person recorded them, not as its client has them', async () => {
    await using at = hostHome()
    const good = join(at.project, 'good')
    const shadowing = join(at.project, 'shadowing')
    for (const folder of [good, shadowing]) {
      mkdirSync(folder)
      writeFileSync(join(folder, 'tool'), '#!/bin/sh\nexit 1\n')
      chmodSync(join(folder, 'tool'), 0o755)
    }
    const recorded = { PATH: `${good}:/usr/bin:/bin`, HTTPS_PROXY: 'http://ann:hidden@proxy.example:3128' }
    await recordEnvironment(placesOf(at), { ...recorded, TRUNKLINE_POLICY_MODE: 'observe', SECRET: 'x' })
    await using client = await startedByClient(at, {
      PATH: `${shadowing}:${at.env.PATH}`,
      HTTPS_PROXY: 'http://evil.example',
      https_proxy: 'http://evil.example',
      NO_PROXY: 'good.example',
      NODE_EXTRA_CA_CERTS: '/evil.pem',
      SSL_CERT_FILE: '/evil.pem',
    })
    const found = environmentOf(client.pid)
    assert.deepEqual([found.PATH, found.HTTPS_PROXY], [recorded.PATH, recorded.HTTPS_PROXY])
    const names = ['https_proxy', 'NO_PROXY', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SECRET']
    assert.deepEqual(
      names.filter((name) => name in found),
      [],
    )
    const { environment } = JSON.parse((await at.run('status', '--json')).stdout)
    assert.equal(environment.variables.HTTPS_PROXY, 'http://ann:[masked]@proxy.example:3128')
    assert.match((await at.run('status')).stdout, /A host that a client starts has PATH, HTTPS_PROXY as recorded/)
    const { stdout: told } = await at.run('doctor')
    assert.match(
      told,
      /A host that a client starts has PATH, HTTPS_PROXY as recorded .*\n {2}PATH .*:\/usr\/bin:\/bin\n/,
    )
    const { stdout: json } = await at.run('doctor', '--json')
    const { environment: shown } = JSON.parse(json)
    assert.deepEqual([shown.path, shown.names], [recorded.PATH, ['PATH', 'HTTPS_PROXY']])
    for (const text of [told, json]) assert.doesNotMatch(text, /hidden|proxy\.example/)
    writeFileSync(join(at.home, '.local/state/trunkline/environment.json'), '{')
    assert.match((await at.run('doctor')).stdout, /environment damaged: .*environment\.json.*\n {2}trunkline up\n/)
  })
})

const acceptedBy = async (api: ApiClient) =>
  (await api.call('servers')).items.filter(({ isAccepted }) => isAccepted).map(({ name }) => name)

describe('up', () => {
  it('outside of a terminal ignores settings of the environment, and says which', async () => {
    await using at = hostHome()
    Object.assign(at.env, { TRUNKLINE_POLICY_MODE: 'observe' })
    const child = at.start('up')
    const [said] = await once(child.stderr ?? assert.fail(), 'data')
    assert.match(
      String(said),
      /TRUNKLINE_POLICY_MODE does not count outside of a terminal: write it into ".*trunkline\.json"/,
    )
    await until(async () => (await findRunning(placesOf(at))) !== undefined, 'the host')
    assert.equal((await apiOf(at).call('policy')).mode, 'enforce')
  })

  it('in a terminal uses them, and records its search path, certificates and proxies', {
    skip: lacking('tmux', hasProgram('tmux')),
  }, async () => {
    await using at = hostHome()
    const path = `/opt/mine:${at.env.PATH}`
    const variables = { HOME: at.home, PATH: path, NO_PROXY: 'corp.example', TRUNKLINE_POLICY_MODE: 'observe' }
    await using terminal = await inTerminal(['up'], variables)
    await terminal.until(/Clients connect to/)
    const api = apiOf(at)
    await until(async () => (await api.call('policy')).mode === 'observe', 'the mode of the environment')
    const file = join(at.home, '.local/state/trunkline/environment.json')
    const { variables: recorded } = JSON.parse(readFileSync(file, 'utf8'))
    assert.equal(recorded.PATH, path)
    assert.equal(recorded.NO_PROXY, 'corp.example')
    assert.ok(!('TRUNKLINE_POLICY_MODE' in recorded))
  })
})
