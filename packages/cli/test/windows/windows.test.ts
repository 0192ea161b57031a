import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { filesServer as filesServerOf } from '@trunkline/files'
import { apiClient, findRunning } from '@trunkline/host/api'
import { findPlaces } from '@trunkline/host/config'
import { type Client, connect } from '@trunkline/mcp'
import { until } from '../../../../tools/lib/until.ts'
import { install, plannedInstall, uninstall } from '../../src/host/installing.ts'
import { registry } from '../../src/registry.ts'
import { commandPath } from '../command-path.ts'
import { acceptServer } from '../host/host-api.ts'
import { noWindows, type WindowsHome, windowsHome } from './windows-home.ts'

// of all tests together; other steps of the gate run beside them
const limit = { skip: noWindows, timeout: 280_000 }
/** The server of files, started by the program that runs this. */
const filesServer = join(import.meta.dirname, '../../dist/lib/command/files-server.js')

/** The file of each client, below the home. */
const clientFiles = {
  'claude-code': '.claude.json',
  'claude-desktop': 'AppData/Roaming/Claude/claude_desktop_config.json',
  vscode: 'AppData/Roaming/Code/User/mcp.json',
  cursor: '.cursor/mcp.json',
  codex: '.codex/config.toml',
  'gemini-cli': '.gemini/settings.json',
  windsurf: '.codeium/windsurf/mcp_config.json',
  opencode: '.config/opencode/opencode.json',
  zed: 'AppData/Roaming/Zed/settings.json',
  cline: '.cline/data/settings/cline_mcp_settings.json',
  junie: '.junie/mcp/mcp.json',
  'copilot-cli': '.copilot/mcp-config.json',
}

describe('the command on Windows', limit, () => {
  let at: WindowsHome
  before(() => {
    at = windowsHome()
  })
  after(() => at[Symbol.asyncDispose]())

  const serverHere = () => ['--', process.execPath, filesServer, at.home]
  const json = async (...args: readonly string[]) => {
    const { exit, stdout, stderr } = await at.run(...args)
    assert.equal(exit, 0, `${args[0]}: ${stderr}`)
    return JSON.parse(stdout)
  }

  const places = () => findPlaces({ platform: process.platform, home: at.home, environment: at.env })
  /** Starts the host in the background; a busy machine takes longer than the command waits. */
  const up = async () => {
    const { exit, stderr } = await at.run('up', '--detach')
    if (!stderr.includes('Cannot start the host: it said nothing')) assert.equal(exit, 0, stderr)
    await until(async () => (await findRunning(places())) !== undefined, 'the host to answer')
  }

  it('starts from its file, whatever the name of the folder is', async () => {
    const child = spawn(process.execPath, [commandPath, '--version'], { env: at.env, cwd: at.home })
    const chunks: Buffer[] = await child.stdout.toArray()
    assert.match(Buffer.concat(chunks).toString(), /^trunkline \d/)
  })

  it('has help for every command', async () => {
    for (const name of Object.keys(registry)) {
      const { exit, stdout, stderr } = await at.run(name, '--help')
      assert.equal(exit, 0, `${name}: ${stderr}`)
      assert.match(stdout, /Usage/)
    }
  })

  it('lists and calls the tools of a program whose path has spaces, umlauts and signs of shells', async () => {
    writeFileSync(join(at.home, 'naïve & file.txt'), 'one\r\ntwo\r\n')
    assert.match((await at.run('tools', ...serverHere())).stdout, /read_file/)
    const result = await json('call', 'read_file', 'path=naïve & file.txt', '--json', ...serverHere())
    assert.match(JSON.stringify(result), /one/)
  })

  it('init reads the file of a client in %APPDATA%, with CRLF, backslashes, drives, shares and npx.cmd', async () => {
    mkdirSync(join(at.appData, 'Claude'))
    const servers = {
      notes: { command: 'npx.cmd', args: ['-y', 'notes-server', 'C:\\Users\\ann\\My Notes'] },
      share: { command: '\\\\server\\tools\\run.exe', args: ['D:/data'] },
    }
    const text = JSON.stringify({ mcpServers: servers }, null, 2).replaceAll('\n', '\r\n')
    writeFileSync(join(at.appData, 'Claude/claude_desktop_config.json'), text)
    const { servers: found, problems } = await json('init', '--json')
    assert.deepEqual(problems, [])
    assert.deepEqual(found.map(({ name }: { name: string }) => name).sort(), ['notes', 'share'])
  })

  it('install shows the change to that file, which keeps its line ends', async () => {
    const { file } = await json('install', 'claude-desktop', '--dry-run', '--json')
    assert.equal(file, join(at.appData, 'Claude', 'claude_desktop_config.json'))
  })

  it('install finds the file of every client, changes it with its line ends, and uninstall restores it', async () => {
    const names = Object.keys(clientFiles)
    const { clients } = await json('install', ...names, '--dry-run', '--json')
    assert.deepEqual(
      Object.fromEntries(clients.map(({ client, file }: { client: string; file: string }) => [client, file])),
      Object.fromEntries(Object.entries(clientFiles).map(([client, file]) => [client, join(at.home, file)])),
    )
    const machine = { platform: process.platform, home: at.home, environment: at.env }
    const installing = { machine, places: findPlaces(machine) }
    for (const [client, name] of Object.entries(clientFiles)) {
      const file = join(at.home, name)
      const before = existsSync(file) ? readFileSync(file, 'utf8') : name.endsWith('.toml') ? '' : '{\r\n}\r\n'
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, before)
      await install(await plannedInstall(client, 'trunkline', installing), installing)
      const after = readFileSync(file, 'utf8')
      assert.match(after, /node\.exe/, client)
      if (before !== '') assert.equal(/[^\r]\n/.test(after), false, `${client} has mixed line ends`)
      await uninstall(client, installing)
      assert.equal(readFileSync(file, 'utf8'), before, client)
    }
  })

  it('the server of files reads what a name says, and refuses names that mean something else there', async () => {
    writeFileSync(join(at.home, 'Plain file.txt'), 'PLAIN')
    writeFileSync(join(at.home, '..', 'beside.txt'), 'OUTSIDE')
    await using client = await connect({
      command: process.execPath,
      args: [filesServer, at.home],
      inheritEnv: ['NODE_OPTIONS'],
    })
    const textOf = async (name: string, input: object) => JSON.stringify(await client.tools.call(name, input as never))
    const whole = join(at.home, 'Plain file.txt')
    for (const path of ['Plain file.txt', '.\\PLAIN FILE.TXT', whole, whole.replaceAll('\\', '/'), whole.toUpperCase()])
      assert.match(await textOf('read_file', { path }), /PLAIN/, path)
    const long = join(...['long name', 'longer name', 'longest name'].map((name) => name.repeat(10)), 'file.txt')
    assert.ok(join(at.home, long).length > 300)
    await textOf('write_file', { path: long, content: 'LONG' })
    assert.match(await textOf('read_file', { path: long }), /LONG/)
    assert.match(await textOf('list_directory', { path: dirname(long) }), /file\.txt/)
    const refused = [
      ...['Plain file.txt::$DATA', 'Plain file.txt:x', 'Plain file.txt.', 'NUL', 'con.txt', 'a?b', `\\\\?\${whole}`],
      ...[
        '..\\beside.txt',
        '../beside.txt',
        'C:beside.txt',
        '\\windows\\win.ini',
        'C:\\windows\\win.ini',
        'Z:\\etc\\passwd',
      ],
    ]
    for (const path of refused) {
      assert.match(await textOf('read_file', { path }), /Cannot (?:use|read)/, path)
      assert.match(await textOf('write_file', { path, content: 'x' }), /Cannot (?:use|write)/, path)
    }
    assert.equal(readFileSync(join(at.home, '..', 'beside.txt'), 'utf8'), 'OUTSIDE')
  })

  it('roots of a client narrow the server of files, however they are spelled', async () => {
    const root = join(at.home, 'Root Folder')
    mkdirSync(root)
    writeFileSync(join(root, 'in.txt'), 'INSIDE')
    writeFileSync(join(at.home, 'out.txt'), 'OUTSIDE')
    const { href } = pathToFileURL(root)
    const reading = async (uri: string, path: string) => {
      await using client: Client = await connect(await filesServerOf({ directories: [at.home] }), { roots: [{ uri }] })
      return JSON.stringify(await client.tools.call('read_file', { path }))
    }
    for (const uri of [href, href.toLowerCase(), `${href}/`, href.replace('file://', 'file://localhost')])
      assert.match(await reading(uri, 'IN.txt'), /INSIDE/, uri)
    for (const uri of [href, href.toLowerCase(), href.replace(/[^/]+$/, 'ROOTFO~1'), 'file://server/share'])
      for (const path of [join(at.home, 'out.txt'), '..\\out.txt', '..\\OUT~1.TXT'])
        assert.match(await reading(uri, path), /lies outside|no root of the client/, `${path} in ${uri}`)
  })

  it('wrap makes tools of a program', async () => {
    const described = join(at.home, 'node.yaml')
    const { exit, stderr } = await at.run('wrap', '--init', described, '--', process.execPath)
    assert.equal(exit, 0, stderr)
    assert.match(readFileSync(described, 'utf8'), /node\.exe/)
  })

  it('service install shows a task for the task scheduler, and writes nothing unasked', async () => {
    const { file, text } = await json('service', 'install', '--json')
    assert.match(text, /<Task version="1\.2"[\s\S]*node\.exe[\s\S]*trunkline\.js/)
    assert.equal(existsSync(file), false)
  })

  it('a host starts, is found, is killed, starts anew with its servers, and ends with what they started', async () => {
    await at.run('add', 'files', ...serverHere())
    const parent = writeParent(at.home)
    await at.run('add', 'parent', '--', process.execPath, parent.script, at.home)
    const config = join(at.appData, 'trunkline/trunkline.json')
    assert.ok(existsSync(config))
    writeFileSync(config, readFileSync(config, 'utf8').replaceAll('\n', '\r\n'))
    await up()
    const { pid } = await json('status', '--json')
    const running = await findRunning(places())
    assert.ok(running)
    await acceptServer(apiClient(running), 'parent')
    const restarted = await at.run('restart', 'parent')
    assert.equal(restarted.exit, 0, restarted.stderr)
    const started = readFileSync(parent.pids, 'utf8').split(' ').map(Number)
    assert.deepEqual(started.map(isAlive), [true, true])
    process.kill(pid, 'SIGKILL')
    // Windows ends the children of Node with it, and theirs
    await until(() => ![pid, ...started].some(isAlive), 'the host to be gone, with its servers and what they started')
    // the lock and the store of the killed host are taken over
    await up()
    assert.match((await at.run('status')).stdout, /files/)
    assert.match((await at.run('doctor')).stdout, /files/)
    {
      const env = { ...at.env } as { [name: string]: string }
      await using client = await connect({ command: process.execPath, args: [commandPath, 'stdio'], env, cwd: at.home })
      const names = (await client.tools.list().all()).map(({ name }) => name)
      assert.ok(
        names.some((name) => name.endsWith('read_file')),
        names.join(),
      )
    }
    assert.equal((await at.run('down')).exit, 0)
  })
})

/** Writes a server with a child that never ends of itself, and the file for the numbers of both. */
function writeParent(folder: string): { readonly script: string; readonly pids: string } {
  const [script, pids] = [join(folder, 'parent.mjs'), join(folder, 'parent.pids')]
  writeFileSync(
    script,
    `import { spawn } from 'node:child_process'
    import { writeFileSync } from 'node:fs'
    const { pid } = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1_000)'], { stdio: 'ignore' })
    writeFileSync(${JSON.stringify(pids)}, \`\${process.pid} \${pid}\`)
    await import(${JSON.stringify(pathToFileURL(filesServer).href)})`,
  )
  return { script, pids }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
