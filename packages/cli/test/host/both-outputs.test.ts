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
import { fixture } from '../run-cli.ts'
import { inTerminal } from '../tmux.ts'
import { acceptServer, apiOf, callAndAnswer, clientOf } from './host-api.ts'
import { type HostHome, hostHome, type Ran, upstreamEntry } from './host-home.ts'
import { assertInHostDocs } from './in-host-docs.ts'

const shop = fixture('shop')
const limit = { timeout: 120_000, skip: lacking('tmux', hasProgram('tmux')) }

/** A command line, what it prints for people, and what is in its JSON; with `exit`, what its one line of JSON on stderr says. */
interface Row {
  readonly args: readonly string[]
  readonly people: RegExp
  readonly exit?: number
  json(value: never): void
}

/** In this order: later rows find what earlier ones left. */
const rows: { readonly [command: string]: Row } = {
  help: {
    args: ['help', 'ping'],
    people: /trunkline ping SERVER[\s\S]*Examples/,
    json: ({ name, options }: { name: string; options: object }) =>
      assert.deepEqual([name, 'timeout' in options], ['ping', true]),
  },
  completion: {
    args: ['completion', 'fish'],
    people: /complete -c trunkline/,
    json: ({ script }: { script: string }) => assert.match(script, /complete -c trunkline/),
  },
  add: {
    args: ['add', 'docs', 'https://docs.example/mcp'],
    people: /docs[\s\S]*trunkline accept docs/,
    json: ({ added }: { added: string }) => assert.equal(added, 'docs'),
  },
  remove: {
    args: ['remove', 'docs'],
    people: /docs/,
    json: ({ removed }: { removed: string }) => assert.equal(removed, 'docs'),
  },
  disable: {
    args: ['disable', 'three'],
    people: /^"three" is disabled in .*trunkline\.json\nUse it again: trunkline enable three\n$/,
    json: ({ disabled }: { disabled: string }) => assert.equal(disabled, 'three'),
  },
  enable: {
    args: ['enable', 'three'],
    people: /^"three" is enabled in .*trunkline\.json\nSee how it is doing: trunkline status three\n$/,
    json: ({ enabled }: { enabled: string }) => assert.equal(enabled, 'three'),
  },
  install: {
    args: ['install', 'cursor', '--dry-run'],
    people: /\+ .*"trunkline"/,
    json: ({ client, putIn }: { client: string; putIn: string[] }) =>
      assert.deepEqual([client, putIn], ['cursor', ['trunkline']]),
  },
  uninstall: {
    args: ['uninstall', 'cursor'],
    people: /"cursor" is not connected/,
    exit: 1,
    json: ({ message }: { message: string }) => assert.match(message, /"cursor" is not connected/),
  },
  accept: {
    args: ['accept', 'three'],
    people: /Only a person can decide this/,
    exit: 5,
    json: ({ code }: { code: string }) => assert.equal(code, 'NotInteractive'),
  },
  restart: {
    args: ['restart', 'one'],
    people: /^Server "one" is ready\n$/,
    json: ({ restarted }: { restarted: string }) => assert.equal(restarted, 'one'),
  },
  logs: {
    args: ['logs', 'one'],
    people: /about to speak/,
    json: ({ text, at }: { text: string; at: number }) => assert.deepEqual([text, at > 0], ['about to speak', true]),
  },
  login: {
    args: ['login', 'one'],
    people: /Cannot sign in to server "one": it is a program/,
    exit: 5,
    json: ({ message }: { message: string }) => assert.match(message, /"one"/),
  },
  logout: {
    args: ['logout', 'one'],
    people: /Signed out of "one"/,
    json: ({ signedOut }: { signedOut: string }) => assert.equal(signedOut, 'one'),
  },
  trust: {
    args: ['trust', 'one', '30m'],
    people: /Only a person can decide this/,
    exit: 5,
    json: ({ exit }: { exit: number }) => assert.equal(exit, 5),
  },
  taint: {
    args: ['taint'],
    people: /./,
    json: (value: object) => assert.equal(typeof value, 'object'),
  },
  outdated: {
    args: ['outdated'],
    people: /./,
    json: ({ programs }: { programs: unknown[] }) => assert.deepEqual(programs, []),
  },
  update: {
    args: ['update'],
    people: /Only a person can decide this/,
    exit: 5,
    json: ({ code }: { code: string }) => assert.equal(code, 'NotInteractive'),
  },
  diff: {
    args: ['diff', 'one'],
    people: /Nothing differs/,
    json: ({ changes }: { changes: unknown[] }) => assert.deepEqual(changes, []),
  },
  config: {
    args: ['config', 'explain', 'host.idleMinutes'],
    people: /host\.idleMinutes = 30/,
    json: ({ items }: { items: { key: string }[] }) => assert.equal(items[0]?.key, 'host.idleMinutes'),
  },
  grants: {
    args: ['grants'],
    people: /every tool that does not destroy of "two", for command/,
    json: ({ items }: { items: { server: string }[] }) => assert.equal(items[0]?.server, 'two'),
  },
  skills: {
    args: ['skills', 'diff'],
    people: /No skill differs from what you accepted/,
    json: ({ changes }: { changes: unknown[] }) => assert.deepEqual(changes, []),
  },
  forget: {
    args: ['forget'],
    people: /^Deleted: \d+ records?\n$/,
    json: ({ removed }: { removed: number }) => assert.equal(typeof removed, 'number'),
  },
  probe: {
    args: ['probe', '--anyway', 'one', 'echo', 'text=x'],
    people: /same/,
    json: ({ isSame }: { isSame: boolean }) => assert.equal(isSame, true),
  },
  record: {
    args: ['record', 'FOLDER/session.json', 'tools', ...shop],
    people: /^TOOL/,
    json: ({ tools }: { tools: unknown[] }) => assert.ok(tools.length > 0),
  },
  new: {
    args: ['new', 'FOLDER/project'],
    people: /project/,
    json: ({ files }: { files: string[] }) => assert.ok(files.includes('package.json')),
  },
  down: {
    args: ['down'],
    people: /^The host has ended\n$/,
    json: ({ stopped }: { stopped: number }) => assert.ok(stopped > 0),
  },
}

/** Commands that other tests run in both outputs, and the file that does. */
const elsewhere: { readonly [command: string]: string } = {
  init: 'host/install.test.ts',
  up: 'host/up.test.ts',
  service: 'host/service.test.ts',
  open: 'host/tidy.test.ts',
  status: 'host/host.test.ts',
  ls: 'host/tidy.test.ts',
  tidy: 'host/tidy.test.ts',
  inbox: 'host/inbox.test.ts',
  doctor: 'doctor.test.ts',
  secret: 'host/secret.test.ts',
  policy: 'host/policy.test.ts',
  proof: 'host/proof.test.ts',
  lock: 'host/lock.test.ts',
  audit: 'host/tidy.test.ts',
  clients: 'host/stdio.test.ts',
  chat: 'host/chat.test.ts',
  pipe: 'host/pipe.test.ts',
  stdio: 'host/stdio.test.ts',
  tools: 'tools.test.ts',
  call: 'call.test.ts',
  resources: 'servers.test.ts',
  read: 'servers.test.ts',
  prompts: 'servers.test.ts',
  prompt: 'servers.test.ts',
  complete: 'servers.test.ts',
  watch: 'servers.test.ts',
  tasks: 'tasks.test.ts',
  ping: 'servers.test.ts',
  discover: 'servers.test.ts',
  raw: 'servers.test.ts',
  trace: 'servers.test.ts',
  replay: 'record.test.ts',
  dev: 'dev.test.ts',
  check: 'check.test.ts',
  wrap: 'openapi/requests.test.ts',
  test: 'authors.test.ts',
  repl: 'authors.test.ts',
  types: 'host/types.test.ts',
  version: 'usage.test.ts',
}

describe('every command, for people and for scripts', () => {
  let at: HostHome
  before(async () => {
    at = hostHome()
    mkdirSync(join(at.home, '.cursor'))
    writeFileSync(join(at.home, '.cursor/mcp.json'), '{"mcpServers": {}}')
    const talking = ['-e', 'console.error("about to speak"); await import(process.argv[1])', ...upstreamEntry.args]
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
    // each command is started once as a process of its own
    return [people, await at.login(process.execPath, commandPath, ...placed(withJson, json))]
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
    const added = await at.run('add', 'soon', '--', process.execPath)
    assert.equal(added.exit, 0)
    assert.match((await at.run('status', 'soon')).stdout, /^soon needs you/)
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
