import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, describe, it } from 'node:test'
import { connect } from '@trunkline/mcp'
import { until } from '../../../../tools/lib/until.ts'
import { temporaryFolder } from '../../../host/test/temporary-folder.ts'
import { hostNodeFlags, hostVariables } from '../../src/service/host-flags.ts'
import { inTerminal } from '../tmux.ts'
import { acceptServer, apiOf } from './host-api.ts'
import { type HostHome, hostHome, readyHost, type StartedHost, upstreamEntry } from './host-home.ts'

const smallHost = [...hostNodeFlags, ...Object.entries(hostVariables).map((pair) => pair.join('='))]

/** Those of the flags and variables that keep a host small that a process runs with. */
function smallnessOf(pid: number | undefined): readonly string[] {
  const words = ['cmdline', 'environ'].flatMap((name) => readFileSync(`/proc/${pid}/${name}`, 'utf8').split('\0'))
  return words.filter((word) => smallHost.includes(word))
}

describe('up, and the commands of the host that it runs', () => {
  let at: HostHome
  let running: StartedHost
  before(async () => {
    at = hostHome()
    // as it is typed: it gives itself the options that keep it small
    running = await readyHost(at.start('up', '--json'))
  })
  after(() => at[Symbol.asyncDispose]())

  it('restart starts a server anew', async () => {
    assert.match((await at.run('restart', 'files')).stdout, /Server "files" is ready/)
    assert.equal(JSON.parse((await at.run('status', 'files', '--json')).stdout).starts, 1)
    await at.run('restart', 'files')
    assert.equal(JSON.parse((await at.run('status', 'files', '--json')).stdout).starts, 2)
  })

  it('mistakes are named', async () => {
    assert.match((await at.run('status', 'none')).stderr, /There is no server "none"\nThere are: files/)
    assert.match((await at.run('restart', 'none')).stderr, /There is no server "none"; there are "files"/)
    const { exit, stderr } = await at.run('logs', '--json')
    assert.equal(exit, 1)
    assert.equal(JSON.parse(stderr).error.code, 'Usage')
  })

  it('a second one on the same folders says that one runs', async () => {
    const { exit, stderr } = await at.run('up')
    assert.equal(exit, 4)
    assert.match(stderr, /process \d+.*\n.*trunkline status/s)
  })

  it('says first where it is and what opens it, and serves the files of the folder', async () => {
    const { ready } = running
    assert.equal(ready.event, 'ready')
    assert.match(ready.console ?? '', /^http:\/\/localhost:\d+\/$/)
    const token = readFileSync(ready.tokenFile ?? '', 'utf8').trim()
    const http = { headers: { authorization: `Bearer ${token}` } }
    await using mcp = await connect(new URL(ready.mcp ?? ''), { http })
    const names = async () => (await mcp.tools.list().all()).map(({ name }) => name)
    await until(async () => (await names()).includes('files__read_file'))
  })

  it('runs so that it stays small, and ends in good order on SIGTERM with 0, as do its servers', async () => {
    const { child } = running
    assert.deepEqual(smallnessOf(child.pid), smallHost)
    child.kill('SIGTERM')
    const [code] = await once(child, 'exit')
    assert.equal(code, 0)
    assert.equal((await at.run('status')).exit, 4)
  })

  it('refuses a port that is none', async () => {
    const { exit, stderr } = await at.run('up', '--port', 'eighty')
    assert.equal(exit, 1)
    assert.match(stderr, /--port=eighty.*a number from 0 to 65535/)
  })

  it('--detach returns when it answers, and down ends it', async () => {
    const { exit, stdout } = await at.run('up', '--detach')
    assert.equal(exit, 0)
    assert.match(stdout, /The host runs at http/)
    // once more it is the same one
    const { url, pid } = JSON.parse((await at.run('up', '--detach', '--json')).stdout)
    assert.ok(stdout.startsWith(`The host runs at ${url} (process ${pid})\n`), stdout)
    assert.deepEqual(smallnessOf(pid), smallHost)
    assert.equal((await at.run('status')).exit, 0)
    assert.equal((await at.run('down')).exit, 0)
    const again = await at.run('down', '--json')
    assert.deepEqual([again.exit, JSON.parse(again.stdout)], [0, { stopped: null }])
    const { exit: after, stderr } = await at.run('status')
    assert.equal(after, 4)
    assert.match(stderr, /No host runs\nStart it: trunkline up/)
  })
})

describe('up --json, and the servers of its host', () => {
  // in this order: a server that was not accepted is ready later, and another one fails then
  const one = { ...upstreamEntry, sandbox: { writable: [] } }
  const bad = { command: process.execPath, args: ['-e', 'console.error("no license"); process.exit(7)'] }
  const events: { readonly event?: string; readonly [key: string]: unknown }[] = []
  const happened = (isSo: (event: (typeof events)[number]) => boolean) =>
    until(() => events.some(isSo), `an event: ${isSo}`)
  let at: HostHome
  before(async () => {
    at = hostHome(temporaryFolder({ onDisk: true }).path)
    at.configure({ mcpServers: { one } })
    const { stdout } = at.start('up', '--json')
    createInterface(stdout ?? assert.fail()).on('line', (line) => events.push(JSON.parse(line)))
    await happened(({ event }) => event === 'question')
  })
  after(() => at[Symbol.asyncDispose]())

  it('a server that was not accepted is told by status, ls and inbox, with what to type', async () => {
    assert.match((await at.run('status')).stdout, /1 question to answer: trunkline inbox[\s\S]*one +needs you/)
    const { stdout } = await at.run('status', 'one')
    assert.match(
      stdout,
      /^one needs you \(for (?:\d+ s|less than a second)\)\nYou have not accepted it yet, so it was not started\n/,
    )
    assert.match(stdout, /\nNext: trunkline accept one\n$/)
    // the command to type is printed once
    assert.equal(stdout.match(/trunkline accept/g)?.length, 1)
    const { questions } = JSON.parse((await at.run('inbox', '--json')).stdout)
    assert.equal(questions[0].kind, 'start')
    assert.equal(questions[0].detail.command, process.execPath)
    const { servers } = JSON.parse((await at.run('ls', '--json')).stdout)
    assert.equal(servers[0].isAccepted, false)
    const { exit, stderr } = await at.run('restart', 'one')
    assert.equal(exit, 5)
    assert.match(
      stderr,
      /Cannot restart server "one": it was not accepted yet; .*; accept it with "trunkline accept one"/,
    )
  })

  it('a server is accepted by a person in a terminal alone', async () => {
    const { exit, stderr } = await at.run('accept', 'one')
    assert.equal(exit, 5)
    assert.match(stderr, /Only a person can decide this: run it in a terminal/)
    assert.match(stderr, /upstream\.(?:ts|mjs)/)
  })

  it('prints one object per event; a broken file is said in the status, and what runs goes on', async () => {
    await acceptServer(apiOf(at), 'one')
    await happened(({ event, name, state }) => event === 'server' && name === 'one' && state === 'ready')
    await happened(({ event }) => event === 'withdrawn')
    assert.equal(events[0]?.event, 'ready')
    assert.deepEqual(
      events.filter(({ event }) => typeof event !== 'string'),
      [],
    )
    const file = join(at.home, '.config/trunkline/trunkline.json')
    writeFileSync(file, '{ "mcpServers": {\n  "one": {')
    const status = async () => (await at.run('status')).stdout
    await until(async () => (await status()).includes('still counts'))
    const stdout = await status()
    assert.match(stdout, /trunkline\.json:2: .*is not JSON here .*; what the file said before still counts/)
    assert.match(stdout, /\none +ready/)
  })

  it('the status of a server that is ready says how it is confined; of one that fails cause, stderr and what to type', async () => {
    at.configure({ mcpServers: { one, bad } })
    await happened(({ event, name }) => event === 'server' && name === 'bad')
    assert.match((await at.run('status', 'one')).stdout, /^one ready \(for .*\)\n(?:in|without) a sandbox/)
    assert.match((await at.run('status')).stdout, /one +ready .*(?:in|without) a sandbox/)
    {
      await using terminal = await inTerminal(['accept', 'bad'], { HOME: at.home })
      await terminal.until(/Accept it\? \[y\/n\]/)
      await terminal.answer('y')
      await terminal.until(/code 7[\s\S]*no license[\s\S]*\nFind out why: trunkline doctor bad\nexit:[1-9]/)
    }
    const { stdout } = await at.run('status', 'bad')
    assert.match(
      stdout,
      /^bad failed \(for (?:\d+ s|less than a second)\)\n.*code 7[\s\S]*\n\| no license\nNext: trunkline doctor bad\n$/,
    )
    // its output stands below, and not in the cause
    assert.match(stdout, /^bad failed .*\n.*exited with code 7\n/)
    const { state, why, log } = JSON.parse((await at.run('status', '--json', 'bad')).stdout)
    assert.deepEqual([state, log.at(-1).text], ['failing', 'no license'])
    assert.match(why, /code 7/)
  })
})
