import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { lacking } from '../../../../tools/lib/needs.ts'
import { until } from '../../../../tools/lib/until.ts'
import { listAndFollow } from '../../src/host/list-and-follow.ts'
import { registry } from '../../src/registry.ts'
import { commandPath } from '../command-path.ts'
import { hasProgram } from '../has-program.ts'
import { inTerminal } from '../tmux.ts'
import { elsewhere, type Row, rows, startedElsewhere } from './command-rows.ts'
import { acceptServer, apiOf, callAndAnswer, clientOf } from './host-api.ts'
import { type HostHome, hostHome, type Ran, upstreamEntry } from './host-home.ts'
import { assertInHostDocs } from './in-host-docs.ts'

const limit = { timeout: 120_000, skip: lacking('tmux', hasProgram('tmux')) }

describe('every command, for people and for scripts', () => {
  let at: HostHome
  before(async () => {
    at = hostHome()
    mkdirSync(join(at.home, '.cursor'))
    writeFileSync(join(at.home, '.cursor/mcp.json'), '{"mcpServers": {}}')
    const speak = 'import { pathToFileURL } from "node:url"; console.error("about to speak")'
    const talking = ['-e', `${speak}; await import(pathToFileURL(process.argv[1]).href)`, ...upstreamEntry.args]
    at.configure({
      mcpServers: {
        one: { ...upstreamEntry, args: ['--input-type=module', ...talking] },
        two: upstreamEntry,
        three: upstreamEntry,
      },
      policy: { allow: ['one:*'] },
    })
    await at.up()
    await acceptServer(apiOf(at), 'one')
  })
  after(() => at[Symbol.asyncDispose]())

  const placed = (args: readonly string[], folder: string) => args.map((arg) => arg.replace('FOLDER', folder))
  const inBoth = async ({ args }: Row): Promise<readonly [Ran, Ran]> => {
    const [plain, json] = ['plain', 'json'].map((name) => join(at.project, name)) as [string, string]
    for (const folder of [plain, json]) mkdirSync(folder, { recursive: true })
    const own = args.indexOf('--') < 0 ? args.length : args.indexOf('--')
    const withJson = [...args.slice(0, own), '--json', ...args.slice(own)]
    const people = await at.run(...placed(args, plain))
    // commands that end the host, or write a server, find it as it was
    if (args[0] === 'down') await at.run('up', '--detach')
    if (args[0] === 'add') await at.run('remove', 'docs')
    if (args[0] === 'remove') await at.run('add', 'docs', 'https://docs.example/mcp')
    const line = placed(withJson, json)
    if (startedElsewhere.includes(args[0] ?? '')) return [people, await at.run(...line)]
    // each command is started once as a process of its own
    return [people, await at.login(process.execPath, commandPath, ...line)]
  }

  it('logs -f and audit tail go on with what happens, each line once, and only what was asked for', async () => {
    const following = [at.start('logs', 'one', '-f', '--json'), at.start('audit', 'tail', '--tool', 'echo')] as const
    const printed = ['', '']
    const errors = ['', '']
    for (const [index, child] of following.entries()) {
      child.stderr?.on('data', (data) => {
        errors[index] += data
      })
      child.stdout?.on('data', (data) => {
        printed[index] += data
      })
    }
    const says = (index: number, wanted: RegExp) => until(() => wanted.test(printed[index] ?? ''), `${wanted}`)
    await says(0, /about to speak/)
    // whenever it begins to listen, it tells of this call, and of none before it twice
    for (const tool of ['write', 'echo']) await at.run('call', 'one', tool, 'text=heard')
    await says(1, /one:echo/)
    await at.run('restart', 'one')
    await says(0, /about to speak[\s\S]*about to speak/)
    const numbers = (printed[0] ?? '').match(/"number":\d+/g) ?? []
    assert.equal(new Set(numbers).size, numbers.length)
    assert.doesNotMatch(printed[1] ?? '', /one:write/)
    for (const child of following) {
      child.kill('SIGINT')
      assert.equal(await new Promise((resolve) => child.once('close', resolve)), 130)
    }
    // to stop them is how they end; scripts are told why all the same
    assert.equal(JSON.parse(errors[0] ?? '').error.code, 'Interrupted')
    assert.match(errors[1] ?? '', /^Stopped$/m)
    assert.doesNotMatch(errors[1] ?? '', /trunkline: /)
  })

  it('what a server writes while its log is being read is neither lost nor told twice', async () => {
    const api = apiOf(at)
    const read = async () => (await api.call('log', { server: 'one' })).items
    const restart = () => api.call('restart', { server: 'one' })
    const lists = [
      async () => {
        const items = await read()
        await restart()
        return items
      },
      async () => {
        await restart()
        return read()
      },
    ]
    for (const list of lists) {
      const before = (await read()).at(-1)?.number ?? 0
      const stop = new AbortController()
      const lines = listAndFollow({
        host: api,
        list,
        added: (event) => (event.event === 'log' && event.server === 'one' ? event.lines : []),
        onMissed: () => assert.fail('nothing is missed'),
        signal: stop.signal,
      })
      const numbers: number[] = []
      for await (const { number, text } of lines) {
        numbers.push(number)
        // the next start is seen on the stream in any case
        if (number > before && text === 'about to speak') break
      }
      stop.abort()
      assert.deepEqual(numbers, [...new Set(numbers)])
    }
  })

  it('a running host has read what add and remove wrote when they return; what is configured is not replaced', async () => {
    const marks = ['--data', 'untrusted', '--data', 'private']
    const added = await at.run('add', 'soon', ...marks, '--', process.execPath)
    assert.match(added.stdout, /^Its data are marked private and untrusted$/m)
    assert.equal(added.exit, 0)
    for (const command of ['status', 'doctor'])
      assert.match(
        (await at.run(command, 'soon')).stdout,
        /^soon n[\s\S]*^(?: {2})?Its data are marked private and untrusted$/m,
      )
    const again = await at.run('add', 'soon', 'https://soon.example/mcp')
    assert.equal(again.exit, 1)
    assert.match(again.stderr, /"soon": it is configured already\nTake it out first: trunkline remove soon/)
    assert.equal((await at.run('remove', 'soon')).exit, 0)
    assert.match((await at.run('status', 'soon')).stderr, /There is no server "soon"/)
  })

  it('disable and enable write that alone, and a running host has read it when they return', async () => {
    const file = join(at.home, '.config/trunkline/trunkline.json')
    const before = readFileSync(file, 'utf8')
    writeFileSync(file, before.replace('"two": {', '// mine\n    "two": {'))
    const text = readFileSync(file, 'utf8')
    const disabled = await at.run('disable', 'two')
    assert.equal(disabled.exit, 0)
    assert.match(readFileSync(file, 'utf8'), /\/\/ mine\n {4}"two": \{[^}]*"disabled": true/)
    assert.match(
      (await at.run('status')).stdout,
      /^two disabled: its entry at .*trunkline\.json:\d+ has "disabled": true; use it again: trunkline enable two$/m,
    )
    const off = await at.run('status', 'two')
    assert.equal(off.exit, 0)
    assert.match(
      off.stdout,
      /^two disabled\nIts entry at .*trunkline\.json:\d+ has "disabled": true, so it is not started and no client sees it\nNext: trunkline enable two\n$/,
    )
    const examples = [
      [at.home, '/home/ada'],
      [/\btwo\b/g, 'notes'],
      [/json:\d+/g, 'json:3'],
    ] as const
    assertInHostDocs(disabled.stdout + off.stdout, examples)
    const { source, ...told } = JSON.parse((await at.run('status', 'two', '--json')).stdout)
    assert.deepEqual(told, { name: 'two', disabled: true })
    assert.match(source, /trunkline\.json:\d+$/)
    assert.match((await at.run('status', 'tow')).stderr, /There is no server "tow"; did you mean "two"\?/)
    assert.match((await at.run('disable', 'two')).stdout, /^"two" was disabled already in /)
    const enabled = await at.run('enable', 'two')
    assert.equal(enabled.exit, 0)
    assertInHostDocs(enabled.stdout, examples)
    assert.equal(readFileSync(file, 'utf8'), text)
    assert.match((await at.run('status', 'two')).stdout, /^two needs you/)
    assert.match((await at.run('enable', 'two')).stdout, /^"two" was not disabled in /)
    const wrong = await at.run('disable', 'tow')
    assert.equal(wrong.exit, 1)
    assert.match(wrong.stderr, /There is no server "tow" in .*; did you mean "two"\?\nThere are: one, two, three/)
    assert.match((await at.run('enable')).stderr, /Cannot enable a server: none is named/)
    writeFileSync(file, before)
  })

  it('trust lets a server do without questions what it would ask, for a time', limit, async () => {
    const api = apiOf(at)
    await using client = await clientOf(api, 'editor')
    await using terminal = await inTerminal(['trust', 'two', '30m'], { HOME: at.home })
    await terminal.until(/\[y\/n\]/)
    await terminal.answer('y')
    await terminal.until(/Nothing is asked about "two" for 30m, for .*editor[\s\S]*exit:0/)
    assert.match((await at.run('trust', 'tow', '30m')).stderr, /There is no server "tow"; did you mean "two"\?/)
    await acceptServer(api, 'two')
    const { content } = await client.tools.call('two__write', { text: 'trusted' })
    assert.match(JSON.stringify(content), /trusted/)
    // a tool that destroys asks all the same
    await api.call('changeEntry', { server: 'two', tool: 'write', class: 'destroys' })
    await callAndAnswer(api, client, { tool: 'two__write', args: { text: 'trusted' } }, 'refuse')
  })

  for (const [command, row] of Object.entries(rows)) {
    it(command, async () => {
      const [people, scripts] = await inBoth(row)
      const wanted = row.exit ?? 0
      assert.deepEqual([people.exit, scripts.exit], [wanted, wanted], people.stderr + scripts.stderr)
      const said = wanted === 0 && people.stdout !== '' ? people.stdout : people.stderr
      assert.match(said, row.people)
      assert.ok(!(people.stdout + people.stderr).includes('\u001b'))
      const [line = ''] = command === 'logs' ? scripts.stdout.split('\n') : [scripts.stdout]
      if (wanted === 0) return row.json(JSON.parse(line) as never)
      assert.equal(scripts.stdout, '')
      assert.equal(scripts.stderr.trimEnd().split('\n').length, 1)
      row.json(JSON.parse(scripts.stderr).error as never)
    })
  }

  it('a call of a configured server starts the host when none runs', async () => {
    assert.equal((await at.run('status')).exit, 4)
    const near = await at.run('call', 'onee', 'echo')
    assert.match(near.stderr, /Cannot find a server "onee": did you mean "one"\?\nThere are: one, two, three/)
    assert.deepEqual(await at.run('call', 'one', 'echo', 'text=again'), { exit: 0, stdout: 'again\n', stderr: '' })
    assert.equal((await at.run('status')).exit, 0)
    for (const args of [
      ['tools', 'three'],
      ['call', 'three', 'echo'],
      ['ping', 'three'],
    ]) {
      const { exit, stderr } = await at.run(...args)
      assert.equal(exit, 5, stderr)
      assert.match(stderr, /Cannot use server "three": .*"trunkline accept three"\n$/)
    }
    for (const command of ['status', 'doctor', 'tidy', 'ls', 'accept'])
      assert.match(
        (await at.run(command, 'onee')).stderr,
        /There is no server "onee"; did you mean "one"\?\nThere are: /,
      )
    assert.match((await at.run('logs', 'onee')).stderr, /There is no server "onee"; did you mean "one"\?/)
    assert.match((await at.run('install', 'curser')).stderr, /did you mean "cursor"\?/)
    assert.match((await at.run('install')).stderr, /none is named/)
  })

  it('leaves out no command: each has a row here, or a file that runs it', () => {
    const missing = Object.keys(registry).filter((name) => !(name in rows) && !(name in elsewhere))
    assert.deepEqual(missing, [])
    for (const [name, file] of Object.entries(elsewhere)) {
      const text = readFileSync(join(import.meta.dirname, '..', file), 'utf8')
      assert.match(text, new RegExp(`'${name}'`), `${name} in ${file}`)
    }
  })
})
