import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { connect } from '@trunkline/mcp'
import { until } from '../../../../tools/lib/until.ts'
import { registry } from '../../src/registry.ts'
import { commandPath } from '../command-path.ts'
import { noWindows, type WindowsHome, windowsHome } from './windows-home.ts'

const limit = { skip: noWindows, timeout: 120_000 }
/** The server of files, started by the program that runs this. */
const filesServer = join(import.meta.dirname, '../../dist/lib/command/files-server.js')

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
    const config = join(at.appData, 'trunkline/trunkline.json')
    assert.ok(existsSync(config))
    writeFileSync(config, readFileSync(config, 'utf8').replaceAll('\n', '\r\n'))
    const first = await at.run('up', '--detach')
    assert.equal(first.exit, 0, first.stderr)
    const { host } = await json('status', '--json')
    const pid = host?.pid ?? Number(/process (\d+)/.exec(first.stdout)?.[1])
    process.kill(pid, 'SIGKILL')
    await until(() => !isAlive(pid), 'the host to be gone')
    // the lock and the store of the killed host are taken over
    const second = await at.run('up', '--detach')
    assert.equal(second.exit, 0, second.stderr)
    assert.match((await at.run('status')).stdout, /files/)
    assert.match((await at.run('doctor')).stdout, /files/)
    {
      const env = { ...at.env } as { [name: string]: string }
      await using client = await connect({ command: process.execPath, args: [commandPath, 'stdio'], env, cwd: at.home })
      assert.ok(Array.isArray(await client.tools.list().all()))
    }
    assert.equal((await at.run('down')).exit, 0)
  })
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
