import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { lacking } from '../../../../../tools/lib/needs.ts'
import { until } from '../../../../../tools/lib/until.ts'
import { resolveCommand } from './find-command.ts'
import { spawnChannel } from './spawn.ts'

const limit = { skip: lacking('windows', process.platform === 'win32'), timeout: 60_000 }

/** Arguments that the interpreter of batch files, or a careless quoting, takes for something else. */
const hostile = [
  ...['&', '&& calc', '| more', '> out.txt', '%PATH%', '%%PATH%%', '!PATH!', '^', '^^&', '^"', '(x)', ';', ',', '='],
  ...[
    '"',
    '""',
    '"&calc"',
    '\\"&calc&\\"',
    'a"b',
    'a\\',
    'a\\\\',
    'a b\\',
    '\\',
    "'x'",
    '`x`',
    '$(x)',
    '~',
    '*.*',
    '?',
  ],
  ...['', ' ', '  two  words  ', '\t', 'naïve ü 日本 🙂', '-x', '--', '/c', 'C:\\Program Files\\x', 'x%0a&calc'],
]

function folder() {
  const path = join(mkdtempSync(join(tmpdir(), 'programs-')), 'with spaces, ümlaut & 100%')
  mkdirSync(path)
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, maxRetries: 20 }) }
}

/** A command as npm installs it: a batch file that names a script. */
function installShim(at: string): void {
  mkdirSync(join(at, 'tool'))
  writeFileSync(join(at, 'tool/run.js'), 'process.stdout.write(JSON.stringify(process.argv.slice(2)))')
  const text = '@ECHO off\r\n"%_prog%"  "%dp0%\\tool\\run.js" %*\r\n'
  writeFileSync(join(at, 'tool.cmd'), text)
}

async function printed(child: ChildProcess): Promise<string> {
  let text = ''
  child.stdout?.setEncoding('utf8').on('data', (part) => {
    text += part
  })
  await once(child, 'close')
  return text
}

test(
  'resolveCommand: arguments of an npm command arrive as they are, whatever a shell would make of them',
  limit,
  async () => {
    using here = folder()
    installShim(here.path)
    const env = { PATH: here.path, PATHEXT: '.EXE;.CMD' }
    for (const name of ['tool', 'tool.cmd', 'TOOL.CMD', join(here.path, 'tool'), '.\\tool.cmd']) {
      const { command, args } = resolveCommand(name, hostile, { env, cwd: here.path })
      assert.equal(command, process.execPath)
      assert.deepEqual(JSON.parse(await printed(spawn(command, args))), hostile, name)
    }
  },
)

test('resolveCommand: a batch file of another kind is refused, since only a shell could run it', limit, () => {
  using here = folder()
  writeFileSync(join(here.path, 'other.bat'), 'python -m server %*\r\n')
  const search = { env: { PATH: here.path }, cwd: here.path }
  assert.throws(() => resolveCommand('other', hostile, search), /a batch file needs a shell/)
  assert.throws(() => resolveCommand('gone.cmd', [], search), /no such program/)
})

test('spawnChannel: a program in a folder of any name, three generations deep, ends as a whole', limit, async () => {
  using here = folder()
  const script = join(here.path, 'tree.cjs')
  writeFileSync(
    script,
    `const depth = Number(process.argv[2])
    if (depth > 0) require('node:child_process').spawn(process.execPath, [__filename, String(depth - 1)], { stdio: ['ignore', 'inherit', 'ignore'] })
    console.log(JSON.stringify({ jsonrpc: '2.0', method: 'pid', params: { pid: process.pid } }))
    setInterval(() => {}, 1000)`,
  )
  const pids: number[] = []
  const channel = spawnChannel({ command: process.execPath, args: [script, '2'], cwd: here.path }, { graceMs: 100 })
  channel.open({
    message: (message) => pids.push(Number(JSON.stringify(message).match(/\d+(?=})/)?.[0])),
    malformed: () => {},
    failed: () => {},
    ended: async () => {},
    closed: () => {},
  })
  await until(() => pids.length === 3, 'three processes')
  await channel.close()
  await until(() => !pids.some(isAlive), 'all of them to be gone')
})

test('spawnChannel: a program ends when the process that started it is killed', limit, async () => {
  const client = `
    const { spawnChannel } = await import(${JSON.stringify(new URL('./spawn.ts', import.meta.url))})
    const channel = spawnChannel({ command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'] })
    console.log(channel.pid)
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', client], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data')
  const pid = Number(line)
  assert.ok(isAlive(pid))
  child.kill()
  await until(() => !isAlive(pid), 'the program to be gone')
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
