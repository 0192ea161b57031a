import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { connect } from '@trunkline/mcp'
import { wholeFiles } from '../../../host/test/config/whole-files.ts'
import { launcherRemark } from '../../src/host/installing.ts'
import { commandPath } from '../command-path.ts'
import { inTerminal, programInTerminal } from '../tmux.ts'
import { type HostHome, hostHome, upstreamEntry } from './host-home.ts'

const open = (at: HostHome, ...args: readonly string[]) => inTerminal(args, { HOME: at.home, TRUNKLINE_HOST_PORT: '0' })

/** Types a key once the question is there and can have been read. */
async function answer(terminal: Awaited<ReturnType<typeof open>>, question: RegExp, key: string): Promise<void> {
  await terminal.until(question)
  await terminal.answer(key)
}

/** Types a whole line as an answer. */
async function answerField(terminal: Awaited<ReturnType<typeof open>>, question: RegExp, text: string): Promise<void> {
  await terminal.until(question)
  await terminal.type(text, 'Enter')
}

/** The file of Cursor with one server, written as people write. */
function cursorFile(at: HostHome, more: readonly string[] = []): { readonly file: string; readonly text: string } {
  const file = join(at.home, '.cursor/mcp.json')
  mkdirSync(join(at.home, '.cursor'))
  const { command, args } = upstreamEntry
  const folder = more.length > 0 ? '"cwd": "/", ' : ''
  const text = `{\n    "mcpServers": {\n        "notes": { "command": ${JSON.stringify(command)}, "args": ${JSON.stringify([...args, ...more])}, ${folder}"env": { "API_KEY": "sk-abcdefghijklmnopqrstuvwxyz0123456789" } }\n    }\n}`
  writeFileSync(file, text)
  return { file, text }
}

describe('from another client to the host and back', () => {
  it('init takes servers over after one review, install connects the client, uninstall leaves its file as it was', async () => {
    await using at = hostHome()
    const { file, text } = cursorFile(at, ['two words'])
    {
      await using terminal = await open(at, 'init')
      const review =
        /\[x\] notes .*upstream\.(?:ts|mjs) "two words" \(API_KEY\)\n +in \/\n[\s\S]*a secret is kept apart as "notes\.API_KEY"[\s\S]*Take 1 server over\? \[y\/o\/n\]/
      await answer(terminal, review, 'o')
      await terminal.until(/Written: .*trunkline\.json[\s\S]*trunkline accept --all[\s\S]*install cursor[\s\S]*exit:0/)
    }
    const own = readFileSync(join(at.home, '.config/trunkline/trunkline.json'), 'utf8')
    assert.ok(!own.includes('sk-abc'), own)
    assert.equal(readFileSync(file, 'utf8'), text)
    assert.match((await at.run('init', '--json')).stdout, /"servers": \[\]/)
    {
      await using terminal = await open(at, 'install', 'cursor')
      await answer(terminal, /- .*"notes".*"API_KEY": "\[masked\]"[\s\S]*\+ [\s\S]*Write it\? \[y\/c\/n\]/, 'y')
      await terminal.until(/"cursor" is connected[\s\S]*exit:0/)
    }
    const { notes } = JSON.parse(readFileSync(file, 'utf8')).mcpServers
    assert.deepEqual(notes.args.slice(1), ['stdio', '--client', 'cursor', '--server', 'notes'])
    // the server in the file is this program now, and is not imported
    const { servers, skipped } = JSON.parse((await at.run('init', '--json')).stdout)
    assert.deepEqual([servers, skipped[0]?.why], [[], 'it is this program'])
    assert.doesNotMatch(readFileSync(file, 'utf8'), /tl_/, 'a token stands in a file of a client')
    const backups = readdirSync(at.home, { recursive: true, encoding: 'utf8' })
      .filter((path) => /installed\/cursor\.json\.\w+\.backup$/.test(path))
      .map((path) => join(at.home, path))
    assert.deepEqual(
      backups.map((path) => [readFileSync(path, 'utf8'), statSync(path).mode & 0o777]),
      [[text, 0o600]],
    )

    {
      // the command that init printed starts the host, too
      await using terminal = await programInTerminal(
        ['env', '-C', at.project, process.execPath, commandPath, 'accept', '--all'],
        { HOME: at.home, TRUNKLINE_HOST_PORT: '0' },
      )
      await answer(
        terminal,
        /upstream\.(?:ts|mjs) "two words"\n *in \/\n *with API_KEY\nprogram .*\nscript .*upstream\.(?:ts|mjs) \(sha256 \w+\)\nAccept it\? \[y\/n\]/,
        'y',
      )
      await terminal.until(/notes reads \(run unasked\)[\s\S]*notes writes \(ask once\), 1:\n +write\n[\s\S]*exit:0/)
      await using review = await open(at, 'accept', 'notes', '--classes')
      await review.until(/\d +write +writes[\s\S]*Enter ends:/)
      await review.type('wrong', 'Enter')
      await review.until(/"wrong" is no number/)
      const number = /(\d) +write +writes/.exec(await review.until(/Enter ends: *$/m))?.[1]
      await review.type(`${number}d`, 'Enter')
      await review.until(/\d +write +destroys/)
      await review.type('Enter')
      await review.until(/write destroys\n[\s\S]*exit:0/)
    }
    // the entry of the file, started as the client starts it: the tools have the names they had
    const env = Object.fromEntries(Object.entries(at.env).flatMap(([name, value]) => (value ? [[name, value]] : [])))
    // the client may find another Node than this one, or none
    const found = { ...env, PATH: '/nowhere' }
    await using mcp = await connect({ command: notes.command, args: notes.args, env: found, cwd: at.project })
    assert.ok((await mcp.tools.list().all()).some(({ name }) => name === 'echo'))

    assert.equal((await at.run('uninstall', 'cursor')).exit, 0)
    assert.equal(readFileSync(file, 'utf8'), text)
    assert.match((await at.run('uninstall', 'cursor')).stderr, /"cursor" is not connected/)
  })

  it('what VS Code asks for is asked once, hidden where it says so, and kept as secrets', async () => {
    await using at = hostHome()
    mkdirSync(join(at.home, '.config/Code/User'), { recursive: true })
    writeFileSync(join(at.home, '.config/Code/User/mcp.json'), wholeFiles.vscode)
    {
      await using terminal = await open(at, 'init')
      await answer(terminal, /Take 2 servers over\? \[y\/o\/n\]/, 'o')
      await answerField(terminal, /1\) eu\n.*2\) us \(US\)\n.*Region \(region\): one of these \["eu"\]:/, '2')
      await answerField(terminal, /Token \(token, nothing is shown; Enter leaves it out\):/, 's3cret-value')
      assert.doesNotMatch(await terminal.until(/Written: .*trunkline\.json[\s\S]*exit:0/), /s3cret/)
    }
    const secrets = () => JSON.parse(readFileSync(join(at.home, '.local/state/trunkline/secrets.json'), 'utf8'))
    assert.deepEqual(secrets(), { 'input.region': 'us', 'input.token': 's3cret-value' })
    const own = readFileSync(join(at.home, '.config/trunkline/trunkline.json'), 'utf8')
    assert.match(own, /"--region=\$\{input:region\}"/)
    assert.doesNotMatch(own, /s3cret/)
    // an input that was given is not asked for again, whichever server refers to it
    const more = join(at.project, 'more.json')
    const servers = { more: { command: 'more-mcp', env: { TOKEN: `\${input:token}`, OTHER: `\${input:other}` } } }
    const inputs = ['token', 'other'].map((id) => ({ type: 'promptString', id, description: `The ${id}` }))
    writeFileSync(more, JSON.stringify({ inputs, servers }))
    await using terminal = await open(at, 'init', '--file', more)
    await answer(terminal, /Take 1 server over\?/, 'o')
    const shown = await terminal.until(/The other \(other\): string \[leave out\]:/)
    assert.doesNotMatch(shown, /The token/)
    await terminal.type('Enter')
    await terminal.until(/Give it later: trunkline secret set input\.other[\s\S]*exit:0/)
    assert.deepEqual(Object.keys(secrets()), ['input.region', 'input.token'])
  })

  it('init --file takes over a server as the registry describes it, and says what a file lacks', async () => {
    await using at = hostHome()
    const file = join(at.project, 'server.json')
    writeFileSync(file, wholeFiles.registry)
    {
      await using terminal = await open(at, 'init', '--file', file)
      await answer(
        terminal,
        /\[x\] weather npx -y @ada\/weather-mcp@1\.4\.0 --units [\s\S]*remotes\.0 is another way to reach the server[\s\S]*Take 1 server over\?/,
        'o',
      )
      await answerField(terminal, /Key of your account \(WEATHER_API_KEY, nothing is shown; .*\):/, 'k-123456')
      await terminal.until(/Connect a client: trunkline install CLIENT[\s\S]*exit:0/)
    }
    const { mcpServers } = JSON.parse(readFileSync(join(at.home, '.config/trunkline/trunkline.json'), 'utf8'))
    assert.equal(mcpServers.weather.env.WEATHER_API_KEY, `\${input:WEATHER_API_KEY}`)
    assert.match(
      (await at.run('init', '--file', file)).stdout,
      /Nothing was found in .*server\.json that is not configured/,
    )
    writeFileSync(file, '{ "name": "a/b" }')
    const { exit, stderr } = await at.run('init', '--file', file)
    assert.equal(exit, 1)
    assert.match(
      stderr,
      /Cannot read servers from ".*server\.json": it has no "mcpServers"[\s\S]*Name the file of a client/,
    )
    assert.match(
      (await at.run('init', '--file', 'none.json')).stderr,
      /Cannot read ".*none\.json": there is no such file/,
    )
  })

  it('a client without such servers gets one entry for all, and what else changed meanwhile stays', async () => {
    await using at = hostHome()
    const file = join(at.home, '.cursor/mcp.json')
    {
      await using terminal = await open(at, 'install', 'cursor')
      await answer(terminal, /Write it\? \[y\/c\/n\]/, 'y')
      await terminal.until(/exit:0/)
    }
    assert.deepEqual(Object.keys(JSON.parse(readFileSync(file, 'utf8')).mcpServers), ['trunkline'])
    const { mcpServers } = JSON.parse(readFileSync(file, 'utf8'))
    writeFileSync(file, JSON.stringify({ mcpServers: { ...mcpServers, mine: { command: 'x' } } }, null, 2))
    await at.run('uninstall', 'cursor')
    assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')).mcpServers, { mine: { command: 'x' } })
  })

  it('init can start what it takes over; who asks is decided once at install and undone with it', async () => {
    await using at = hostHome()
    cursorFile(at)
    {
      await using terminal = await open(at, 'init')
      await answer(terminal, /Take 1 server over\? \[y\/o\/n\]/, 'y')
      await terminal.until(
        /Server "notes" is accepted[\s\S]*notes writes \(ask once\), 1:[\s\S]*install cursor[\s\S]*exit:0/,
      )
    }
    assert.match((await at.run('status', 'notes')).stdout, /^notes ready/)
    const past = /cursor is not connected, and starts itself: notes \(Trunkline runs it too, as "notes"\)/
    assert.match((await at.run('status')).stdout, past)
    const own = join(at.home, '.config/trunkline/trunkline.json')
    const before = readFileSync(own, 'utf8')
    {
      await using terminal = await open(at, 'install', 'cursor', 'gemini-cli')
      await answer(
        terminal,
        /"trust": true[\s\S]*The prompt of "cursor" cannot be turned off by a file[\s\S]*Write it/,
        'c',
      )
      await terminal.until(/"gemini-cli" is connected[\s\S]*exit:0/)
    }
    const { policy } = JSON.parse(readFileSync(own, 'utf8'))
    assert.deepEqual(policy.allow, [
      { class: ['writes', 'unknown'], principal: 'cursor' },
      { class: ['writes', 'unknown'], principal: 'gemini-cli' },
    ])
    const gemini = join(at.home, '.gemini/settings.json')
    assert.equal(JSON.parse(readFileSync(gemini, 'utf8')).mcpServers.trunkline.trust, undefined)
    assert.match((await at.run('uninstall')).stderr, /none is named\nConnected are: cursor, gemini-cli/)
    assert.match((await at.run('uninstall', 'curser')).stderr, /"curser" is not connected; did you mean "cursor"\?/)
    // the one that was connected first goes first, and the other leaves nothing of both behind
    assert.equal((await at.run('uninstall', 'cursor')).exit, 0)
    assert.deepEqual(JSON.parse(readFileSync(own, 'utf8')).policy.allow, policy.allow.slice(1))
    assert.equal((await at.run('uninstall', 'gemini-cli')).exit, 0)
    assert.equal(readFileSync(own, 'utf8'), before)
    await using terminal = await open(at, 'install', '--asks', 'trunkline', '--approver', 'claude-code')
    await answer(
      terminal,
      /settings\.json[\s\S]*mcp__trunkline__\*[\s\S]*count as yours[\s\S]*Write it\? \[y\/n\]/,
      'y',
    )
    await terminal.until(/exit:0/)
    const { items } = JSON.parse((await at.run('clients', '--json')).stdout) as {
      items: { name: string; isApprover: boolean }[]
    }
    assert.deepEqual(
      items.filter(({ isApprover }) => isApprover).map(({ name }) => name),
      ['claude-code'],
    )
    const settings = join(at.home, '.claude/settings.json')
    assert.deepEqual(JSON.parse(readFileSync(settings, 'utf8')).permissions.allow, ['mcp__trunkline__*'])
    assert.match((await at.run('uninstall', 'claude-code')).stdout, /settings\.json was not there before, and is gone/)
    assert.ok(!existsSync(join(at.home, '.claude')), 'the folder that install had made is left')
  })

  it('install once more brings what is new, asks nothing that was decided, and uninstall still puts everything back', async () => {
    await using at = hostHome()
    const { file, text } = cursorFile(at)
    const { mcpServers } = JSON.parse(text)
    at.configure({ mcpServers: { notes: mcpServers.notes } })
    const own = join(at.home, '.config/trunkline/trunkline.json')
    const before = readFileSync(own, 'utf8')
    const connected = async (question: RegExp, key: string, ...args: readonly string[]) => {
      await using terminal = await open(at, 'install', 'cursor', ...args)
      await answer(terminal, question, key)
      await terminal.until(/"cursor" is connected[\s\S]*exit:0/)
    }
    await connected(/Write it\? \[y\/c\/n\]/, 'c')
    const ruled = readFileSync(own, 'utf8')
    assert.match((await at.run('install', 'cursor')).stdout, /"cursor" is connected already, and nothing changes/)
    assert.equal((await at.run('install', 'cursor', '--dry-run')).stdout, 'Nothing changes\n')
    // a server that came to the file of the client and to the host since
    const now = JSON.parse(readFileSync(file, 'utf8'))
    const two = { mcpServers: { ...now.mcpServers, plans: mcpServers.notes } }
    writeFileSync(file, JSON.stringify(two, null, 2))
    const more = readFileSync(own, 'utf8').replace(
      '"notes":',
      `"plans": ${JSON.stringify(mcpServers.notes)},\n    "notes":`,
    )
    writeFileSync(own, more)
    await connected(/Write it\? \[y\/n\]/, 'y')
    for (const name of ['notes', 'plans'])
      assert.ok(JSON.parse(readFileSync(file, 'utf8')).mcpServers[name].args.includes('stdio'), name)
    assert.equal(readFileSync(own, 'utf8'), more)
    // a new choice of who asks: the rule goes
    await connected(/- .*principal[\s\S]*Write it\? \[y\/n\]/, 'y', '--asks', 'trunkline')
    assert.equal(readFileSync(own, 'utf8').includes('principal'), false)
    await at.run('uninstall', 'cursor')
    assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')).mcpServers, { ...mcpServers, plans: mcpServers.notes })
    assert.ok(ruled.length > before.length)
    assert.equal(readFileSync(own, 'utf8').replace(/"plans": .*,\n {4}/, ''), before)
  })

  it('init starts and writes nothing before a key, leaves project files alone, and takes over what is named', async () => {
    await using at = hostHome()
    const witness = join(at.home, 'started')
    const touching = { command: 'touch', args: [witness] }
    const key = { ...touching, env: { API_KEY: 'sk-abcdefghijklmnopqrstuvwxyz0123456789' } }
    mkdirSync(join(at.home, '.cursor'))
    writeFileSync(join(at.home, '.cursor/mcp.json'), JSON.stringify({ mcpServers: { notes: key, plans: touching } }))
    writeFileSync(join(at.project, '.mcp.json'), JSON.stringify({ mcpServers: { team: touching } }))
    const own = join(at.home, '.config/trunkline/trunkline.json')
    const init = (...args: readonly string[]) => {
      const command = [process.execPath, commandPath, 'init', ...args]
      return programInTerminal(['env', '-C', at.project, ...command], { HOME: at.home, TRUNKLINE_HOST_PORT: '0' })
    }
    {
      await using terminal = await init()
      await answer(
        terminal,
        /\[ \] team [\s\S]*\[x\] notes [\s\S]*\[x\] plans [\s\S]*--with team[\s\S]*Take 2 servers over\?/,
        'n',
      )
      await terminal.until(/Nothing was taken over[\s\S]*exit:5/)
    }
    assert.deepEqual([existsSync(own), existsSync(witness)], [false, false])
    await using terminal = await init('--without', 'plans', '--with', 'team', '--keep-secrets')
    await answer(terminal, /\[x\] team [\s\S]*\[x\] notes [\s\S]*\[ \] plans [\s\S]*Take 2 servers over\?/, 'o')
    await terminal.until(/Written: [\s\S]*exit:0/)
    assert.match(readFileSync(own, 'utf8'), /"notes"[\s\S]*sk-abc/)
    // the servers of a project are for that project alone, and its own file stays as it was
    const folder = join(at.home, '.config/trunkline')
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'))
    const serversIn = (name: string) => Object.keys(JSON.parse(readFileSync(join(folder, name), 'utf8')).mcpServers)
    const written = files.flatMap(serversIn)
    assert.deepEqual([written.sort(), existsSync(witness)], [['notes', 'team'], false])
  })

  it('n changes nothing, --dry-run only shows, and a client that is not known is named', async () => {
    await using at = hostHome()
    const { file, text } = cursorFile(at)
    {
      await using terminal = await open(at, 'install', 'cursor')
      await answer(terminal, /Write it\?/, 'n')
      await terminal.until(/Nothing was changed[\s\S]*exit:5/)
    }
    const dry = (await at.run('install', 'cursor', '--dry-run')).stdout
    assert.match(dry, /\+ .*"trunkline"[\s\S]*0 of 1 of "cursor" go through Trunkline; 1 does not:\n +notes, because /)
    assert.equal(readFileSync(file, 'utf8'), text)
    assert.match((await at.run('install', 'emacs')).stderr, /no such client is known\nThere are: claude-code, /)
    assert.equal((await at.run('install', 'cursor')).exit, 5)
    assert.equal(launcherRemark(['/usr/bin/node', commandPath]), undefined)
    const cached = '/home/ann/.npm/_npx/0123456789abcdef/node_modules/trunkline/bin/trunkline.js'
    assert.match(launcherRemark(['/usr/bin/node', cached]) ?? '', /cache of npx.*npm install --global trunkline/)
  })
})

describe('add and remove', () => {
  it('write a server into the configuration, keep the rest of it, and take it out again', async () => {
    await using at = hostHome()
    const file = join(at.home, '.config/trunkline/trunkline.json')
    mkdirSync(join(at.home, '.config/trunkline'), { recursive: true })
    const text = '{\n  // mine\n  "policy": { "deny": ["*:drop_*"] }\n}\n'
    writeFileSync(file, text)
    assert.match(
      (await at.run('add', 'notes', '--env', 'A=b', '--data', 'private', '--', 'node', 'x.js')).stdout,
      /trunkline accept notes/,
    )
    assert.match(readFileSync(file, 'utf8'), /\/\/ mine[\s\S]*"notes": \{[\s\S]*"A": "b"[\s\S]*"data": "private"/)
    assert.equal((await at.run('add', 'docs', 'https://example.com/mcp', '--revision', '2025-06-18')).exit, 0)
    assert.match(readFileSync(file, 'utf8'), /"url": "https:\/\/example\.com\/mcp",\s*"revision": "2025-06-18"/)
    const added = await at.run('add', 'git', '--folder', at.home, '--folder', join(at.home, 'x'))
    assert.match(added.stderr, /Cannot add "git" for .*: that is more than a project\n.*--folder PATH/)
    const bundled = await at.run('add', 'git', '--folder', join(at.home, 'x'))
    assert.match(bundled.stdout, /marked untrusted\nreads: get_status, .*\nwrites: .*\ndestroys: push_branch\n/)
    const { mcpServers } = JSON.parse(readFileSync(file, 'utf8').replace('// mine', ''))
    const { command, args, data, classes } = mcpServers.git
    assert.deepEqual(
      [command, args[1], data, classes.push_branch],
      [process.execPath, join(at.home, 'x'), 'untrusted', 'destroys'],
    )
    assert.ok(existsSync(args[0]))
    assert.match((await at.run('add', 'git')).stderr, /it is configured already/)
    const code = await at.run('add', 'code', '--folder', join(at.home, 'x'))
    assert.match(code.stdout, /reads: list_symbols, .*\nwrites: run_tests, rename_symbol\n/)
    const github = await at.run('add', 'github', '--folder', join(at.home, 'x'), '--repo', 'acme/*')
    assert.match(
      github.stdout,
      /marked private and untrusted\nreads: list_items, [\s\S]*destroys: create_issue, .*\nIt writes to acme\/\*\n[\s\S]*secret set github\.token/,
    )
    const entry = JSON.parse(readFileSync(file, 'utf8').replace('// mine', '')).mcpServers.github
    assert.deepEqual(
      [entry.args.slice(1), entry.env, entry.data, entry.classes.update_issue],
      [
        [join(at.home, 'x'), '--repo', 'acme/*'],
        { GITHUB_TOKEN: 'secret:github.token' },
        ['private', 'untrusted'],
        'writes',
      ],
    )
    assert.match((await at.run('add', 'github', '--app')).stderr, /it is configured already/)
    assert.equal((await at.run('remove', 'github')).exit, 0)
    const app = await at.run('add', 'github', '--app', '--folder', join(at.home, 'x'))
    assert.match(
      app.stdout,
      /writes to no repository[\s\S]*settings\/apps\/new\?\S*&pull_requests=write\n[\s\S]*set github\.app\n[\s\S]*set github\.key </,
    )
    assert.deepEqual(JSON.parse(readFileSync(file, 'utf8').replace('// mine', '')).mcpServers.github.env, {
      GITHUB_APP_ID: 'secret:github.app',
      GITHUB_APP_KEY: 'secret:github.key',
    })
    assert.match((await at.run('add', 'git', '--repo', 'a/b')).stderr, /Cannot use "--repo"/)
    assert.match((await at.run('add', 'git', '--app')).stderr, /Cannot use "--app"/)
    for (const name of ['notes', 'docs', 'git', 'code', 'github']) assert.equal((await at.run('remove', name)).exit, 0)
    assert.match(readFileSync(file, 'utf8'), /\/\/ mine[\s\S]*"mcpServers": \{\s*\}/)
    assert.match((await at.run('remove', 'docs')).stderr, /There is no server "docs"/)
    // a word that stands in the file is no server yet
    assert.equal((await at.run('remove', 'policy')).exit, 1)
    assert.match(readFileSync(file, 'utf8'), /"deny"/)
  })

  it('say what is wrong, and do not touch a file that is broken', async () => {
    await using at = hostHome()
    assert.match((await at.run('add', 'My Notes', '--', 'x')).stderr, /It could be "my-notes"/)
    assert.equal((await at.run('add', 'notes')).exit, 1)
    assert.match((await at.run('add', 'n', '--env', 'A', '--', 'x')).stderr, /write it as NAME=VALUE/)
    const file = join(at.home, '.config/trunkline/trunkline.json')
    mkdirSync(join(at.home, '.config/trunkline'), { recursive: true })
    writeFileSync(file, '{ "mcpServers": ')
    const { exit, stderr } = await at.run('add', 'notes', '--', 'x')
    assert.equal(exit, 1)
    assert.match(stderr, /trunkline\.json:1/)
    assert.equal(readFileSync(file, 'utf8'), '{ "mcpServers": ')
  })
})
