import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync, realpathSync } from 'node:fs'
import { after, describe, it } from 'node:test'
import { programFile } from '../../../../tools/lib/program-file.ts'
import { groupGone } from '../../../mcp/test/processes.ts'
import { inTerminal } from '../tmux.ts'
import { acceptServer, apiOf, clientOf } from './host-api.ts'
import { type HostHome, hostHome, upstreamEntry } from './host-home.ts'
import { assertInHostDocs } from './in-host-docs.ts'

const unruly = programFile(new URL('../../../host/test/programs/unruly.ts', import.meta.url))
/** A program that ends neither with its input nor when it is asked to, and neither does what it started. */
const stubborn = { command: process.execPath, args: [unruly, 'stubborn'] }
const crashing = { command: process.execPath, args: ['-e', 'console.error("no license"); process.exit(7)'] }

/** Interrupts a host, and once more when it says that it stops; resolves with what it printed, when nothing is left. */
async function interruptedTwice(at: HostHome): Promise<string> {
  const child = at.start('up')
  const closed = once(child, 'close')
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => (printed += data))
  while (!/stubborn needs you: /.test(printed)) await once(child.stdout as NodeJS.ReadableStream, 'data')
  const api = apiOf(at)
  await acceptServer(api, 'stubborn')
  while (!/stubborn ready after \d+\.\d s\n/.test(printed)) await once(child.stdout as NodeJS.ReadableStream, 'data')
  const { pid = 0 } = (await api.call('servers')).items[0] ?? {}
  assert.ok(pid > 0)
  child.kill('SIGINT')
  while (!/^Stopping: /m.test(printed)) await once(child.stderr as NodeJS.ReadableStream, 'data')
  child.kill('SIGINT')
  assert.deepEqual(await closed, [130, null])
  await groupGone(pid)
  return printed
}

describe('up, in a terminal', () => {
  it('says each server in one line and keeps a table of all below, which follows what happens', async () => {
    await using at = hostHome()
    at.configure({ mcpServers: { one: upstreamEntry, bad: crashing }, policy: { allow: ['one:*'] } })
    await using terminal = await inTerminal(['up'], { HOME: at.home, TRUNKLINE_HOST_PORT: '0' })
    await terminal.until(/one needs you: [\s\S]*SERVER +STATE +FOR +TOOLS +CALLS[\s\S]*\none +needs you/)
    await terminal.until(/2 questions to answer: trunkline inbox/)
    const api = apiOf(at)
    await acceptServer(api, 'one')
    await terminal.until(/one ready after \d+\.\d s[\s\S]*\none +ready +\d+ s +6 +0 +0/)
    await using client = await clientOf(api, 'editor')
    await client.tools.call('one__echo', { text: 'a' })
    const shown = await terminal.until(/\none +ready +\d+ s +6 +1 +0/)
    // drawn in place: there is one table, however often it was drawn, and lines stand above it
    assert.equal(shown.match(/SERVER +STATE/g)?.length, 1)
    assert.ok(shown.indexOf('one ready after') < shown.indexOf('SERVER'))
    await acceptServer(api, 'bad').catch(() => {})
    await terminal.until(/bad failed after \d+\.\d s: .*code 7.*no license[\s\S]*\nbad +failed/)
    await terminal.type('C-c')
    const last = await terminal.until(/Stopping: [\s\S]*\nThe host has ended\nexit:130/)
    // to stop it like this is how it ends, and no mishap
    assert.doesNotMatch(last, /SERVER +STATE|trunkline: |Interrupted/)
  })
})

describe('up, elsewhere', () => {
  it('started by npm, says which folder is served, where the token is and what to type next', async () => {
    await using at = hostHome()
    const folder = realpathSync(at.project)
    at.env.npm_lifecycle_event = 'start'
    const child = at.start('up')
    delete at.env.npm_lifecycle_event
    let said = ''
    child.stdout?.on('data', (data) => (said += data))
    child.stderr?.on('data', (data) => (said += data))
    while (!/Or add one: npx trunkline add\n/.test(said)) await once(child.stderr as NodeJS.ReadableStream, 'data')
    assert.match(said, /^Clients connect to http:\S+\/mcp$/m)
    const [, file = ''] =
      /^Calls there need a token: this command has one in (\S+); for a client: npx trunkline clients add NAME$/m.exec(
        said,
      ) ?? []
    assert.match(readFileSync(file, 'utf8'), /^tl_/)
    assert.ok(said.includes(`No server is configured; until one is, the folder ${folder} is served, read-only\n`), said)
    assert.match(said, /^Take over the servers of your editors: npx trunkline init$/m)
    assertInHostDocs(said.replace(/^warning: .*\n/gm, ''), [
      [folder, '/home/ada/shop'],
      [at.home, '/home/ada'],
      [/127\.0\.0\.1:\d+/g, '127.0.0.1:28019'],
    ])
  })

  it('says each server in one plain line without any escape, ends at once on a second signal while it stops, and leaves no program', async () => {
    await using at = hostHome()
    at.configure({ mcpServers: { stubborn } })
    let printed = await interruptedTwice(at)
    // a second signal that took longer than all that a stop waits for came too late and shows nothing
    for (let more = 2; more > 0 && /The host has ended/.test(printed); more -= 1) printed = await interruptedTwice(at)
    assert.doesNotMatch(printed, /The host has ended/)
    assert.ok(!printed.includes('\u001b'))
    assert.doesNotMatch(printed, /SERVER +STATE/)
  })
})

describe('up, without a person to ask', () => {
  // in this order: the second one finds a server that was accepted
  const at = hostHome()
  after(() => at[Symbol.asyncDispose]())

  it('--unattended refuses what would ask, and names the rule that allows it; --json tells of servers', async () => {
    at.configure({ mcpServers: { one: upstreamEntry } })
    const { child } = await at.up('--unattended')
    let printed = ''
    child.stdout?.on('data', (data) => (printed += data))
    const api = apiOf(at)
    await acceptServer(api, 'one')
    while (!/"state":"ready".*\n/.test(printed)) await once(child.stdout as NodeJS.ReadableStream, 'data')
    const ready = printed.split('\n').find((line) => line.includes('"state":"ready"'))
    const { event, name, seconds } = JSON.parse(ready ?? '')
    assert.deepEqual([event, name, typeof seconds], ['server', 'one', 'number'])
    await using client = await clientOf(api, 'editor')
    const result = await client.tools.call('one__write', { text: 'a' })
    assert.equal(result.isError, true)
    assert.match(JSON.stringify(result.content), /Nobody can be asked here.*one:write/)
    assert.equal((await api.call('inbox')).items.length, 0)
  })

  it('with CI=true it is the same, also for a host that a call starts: exit 5, and the rule that is named allows it', async () => {
    await at.run('down')
    at.env.CI = 'true'
    const call = () => at.run('call', 'one', 'write', 'text=a')
    const { exit, stdout, stderr } = await call()
    assert.equal(exit, 5)
    const said = `${stdout}${stderr}`
    assert.match(said, /Nobody can be asked here.*"write" was not run: denied/s)
    assert.equal((await apiOf(at).call('inbox')).items.length, 0)
    const rule = /Add to "allow": "(.*?)"/.exec(said)?.[1] ?? assert.fail(said)
    await at.run('down')
    at.configure({ mcpServers: { one: upstreamEntry }, policy: { allow: [rule] } })
    assert.deepEqual(await call(), { exit: 0, stdout: 'a\n', stderr: '' })
  })
})
