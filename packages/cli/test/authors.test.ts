import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { lacking } from '../../../tools/lib/needs.ts'
import { hasProgram } from './has-program.ts'
import { fixture, runCli } from './run-cli.ts'
import { inTerminal } from './tmux.ts'
import { witness } from './witness.ts'

const shop = fixture('shop')
const [command = '', ...args] = shop.slice(shop.indexOf('--') + 1)
const root = join(import.meta.dirname, '../../..')

test('test: passes, fails, and reports both for people, scripts and build servers', async () => {
  using at = witness()
  const file = join(at.folder, 'calls.json')
  const tests = [
    { name: 'adds', call: 'add', arguments: { a: 1, b: 2 }, expect: { text: '3' } },
    { call: 'fail', expect: { isError: true, contains: 'coffee' } },
    { call: 'refuse', expect: { error: 4242 } },
    { read: 'shop:hours', expect: { contains: 'nine' } },
    { prompt: 'poem', arguments: { topic: 'shoes' }, expect: { contains: 'shoes' } },
    { request: 'tools/list', expect: { schema: { properties: { tools: { type: 'array', minItems: 3 } } } } },
  ]
  writeFileSync(file, JSON.stringify({ server: { command, args }, tests }))
  const passed = await runCli(['test', file])
  assert.equal(passed.exit, 0, passed.stderr)
  assert.match(passed.stdout, /^ok +adds \d+ ms\nok +call fail/)

  const wrong = { name: 'a <wrong> one', call: 'add', arguments: { a: 1, b: 2 }, expect: { text: '4' } }
  writeFileSync(file, JSON.stringify({ tests: [...tests, wrong] }))
  const report = join(at.folder, 'report.xml')
  const failed = await runCli(['test', '--json', '--junit', report, file, ...shop])
  assert.equal(failed.exit, 2)
  const { tests: outcomes, failed: count } = JSON.parse(failed.stdout)
  assert.equal(count, 1)
  assert.equal(outcomes.at(-1).problem, 'the text is "3", not "4"')
  assert.equal(JSON.parse(failed.stderr).error.code, 'TestsFailed')
  const xml = readFileSync(report, 'utf8')
  assert.match(xml, /tests="7" failures="1"/)
  assert.match(
    xml,
    /<testcase name="a &lt;wrong&gt; one".*>\n +<failure message="the text is &quot;3&quot;, not &quot;4&quot;"\/>/,
  )
})

test('test: a file that is wrong is refused with the field that is', async () => {
  using at = witness()
  const file = join(at.folder, 'calls.json')
  const wrong: readonly (readonly [string, RegExp])[] = [
    ['{', /Cannot read ".*calls\.json"/],
    ['{"tests": []}', /tests: /],
    ['{"tests": [{"call": "add", "expects": {}}]}', /tests\[0\]\.expects: is not allowed/],
    ['{"tests": [{"name": "nothing"}]}', /tests\[0\] needs one of call, read, prompt, request/],
  ]
  for (const [text, said] of wrong) {
    writeFileSync(file, text)
    const { exit, stderr } = await runCli(['test', file, ...shop])
    assert.equal(exit, 1)
    assert.match(stderr, said)
  }
})

test('test: when the server dies, the report says what was not run, and the exit code is 4', async () => {
  using at = witness()
  const file = join(at.folder, 'calls.json')
  const report = join(at.folder, 'report.xml')
  const tests = [{ request: 'tools/list' }, { call: 'work' }, { name: 'later', call: 'work' }]
  writeFileSync(file, JSON.stringify({ tests }))
  const { exit, stdout, stderr } = await runCli([
    'test',
    file,
    '--junit',
    report,
    ...fixture('broken', 'dies in a call'),
  ])
  assert.equal(exit, 4)
  assert.match(stdout, /^ok .*\nFAIL call work: .*exited with code 3.*\nFAIL later: not run: the server is gone\n$/s)
  assert.match(stderr, /cannot open the database/)
  assert.match(readFileSync(report, 'utf8'), /tests="3" failures="2"/)
})

test('types: are right, and --check notices a change', async () => {
  // inside the repository, where the compiler finds the library
  mkdirSync(join(root, 'node_modules/.cache'), { recursive: true })
  const folder = mkdtempSync(join(root, 'node_modules/.cache/types-'))
  try {
    const file = join(folder, 'shop.ts')
    const { exit, stderr } = await runCli(['types', '-o', file, ...shop])
    assert.equal(exit, 0, stderr)
    assert.match(readFileSync(file, 'utf8'), /readonly input: \{ readonly a: number; readonly b: number \}/)
    writeFileSync(
      join(folder, 'use.ts'),
      `import { connect } from '@trunkline/mcp'
import type { Shop } from './shop.ts'
const client = await connect<{ offers: Shop }>('http://127.0.0.1:1/mcp')
await client.tools.call('add', { a: 1, b: 2 })
await client.tools.call('order', { item: 'hat', size: 'small', tags: ['x'] })
// @ts-expect-error: a text is no number
await client.tools.call('add', { a: '1', b: 2 })
// @ts-expect-error: there is no such size
await client.tools.call('order', { item: 'hat', size: 'huge' })
`,
    )
    const options = { extends: join(root, 'tsconfig.json'), include: [folder], exclude: [] }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(options))
    execFileSync(process.execPath, [join(root, 'node_modules/.bin/tsc'), '-p', folder, '--noEmit', '--checkers', '1'], {
      encoding: 'utf8',
    })
    assert.equal((await runCli(['types', '--check', '-o', file, ...shop])).exit, 0)
    writeFileSync(file, `${readFileSync(file, 'utf8')}// changed\n`)
    const changed = await runCli(['types', '--check', '-o', file, ...shop])
    assert.equal(changed.exit, 2)
    assert.match(changed.stderr, /is not what the server says/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('types: what a server says cannot end the comment it stands in', async () => {
  const { stdout } = await runCli(['types', ...fixture('broken', 'comment')])
  assert.match(stdout, /\/\*\* Works \*\\\/ process\.exit\(\) \*\//)
})

test('repl: lines from a pipe run one after another on one connection, and the last failure counts', async () => {
  using at = witness()
  const input = 'tools\nadd a=1 b=2\n# a remark\nadd a=x b=2\nad a=1 b=2\nping again\ncall add a=2 b=2\nexit\n'
  const { exit, stdout, stderr } = await runCli(['repl', ...at.env, ...shop], { input })
  assert.equal(exit, 1)
  assert.match(stdout, /^add +a b[\s\S]*\n3\n4\n$/m)
  assert.match(stderr, /a must be a number/)
  assert.match(stderr, /Cannot run "ad": there is no such command or tool; did you mean "add"\?/)
  assert.match(stderr, /Cannot use "again": "trunkline ping" takes no more words/)
  assert.equal(at.seen(), 'add 1 2\nadd 2 2\n')
})

test('repl --json: each line answers as its command does, and a mistake is one line of JSON on stderr', async () => {
  using at = witness()
  const input = 'add a=1 b=2\nadd a=x b=2\n'
  const { exit, stdout, stderr } = await runCli(['repl', '--json', ...at.env, ...shop], { input })
  assert.equal(exit, 1)
  assert.deepEqual(JSON.parse(stdout).content, [{ type: 'text', text: '3' }])
  const mistakes = stderr.split('\n').filter((line) => line.startsWith('{'))
  assert.deepEqual(
    mistakes.map((line) => Object.keys(JSON.parse(line))),
    [['error']],
  )
})

test('repl in a terminal: Ctrl-C stops a call and not the rest, and Tab completes', {
  timeout: 120_000,
  skip: lacking('tmux', hasProgram('tmux')),
}, async () => {
  using at = witness()
  await using terminal = await inTerminal(['repl', ...at.env, ...shop])
  await terminal.until(/shop> *$/m)
  await terminal.type('slow', 'Enter')
  await terminal.until(/slow \d+ %/)
  await terminal.type('C-c')
  await terminal.until(/Interrupted\nshop>/)
  // Tab completes tools, arguments and their values
  await terminal.type('ord', 'Tab')
  await terminal.until(/shop> order *$/m)
  await terminal.type('si', 'Tab')
  await terminal.until(/shop> order size= *$/m)
  await terminal.type('la', 'Tab')
  await terminal.until(/shop> order size=large *$/m)
  await terminal.type('it', 'Tab')
  await terminal.until(/size=large item= *$/m)
  await terminal.type('hat', 'Enter')
  await terminal.until(/\{"size":"large","item":"hat"\}\nshop>/)
  await terminal.type('read shop:h', 'Tab')
  await terminal.until(/read shop:hours *$/m)
  await terminal.type('Enter')
  await terminal.until(/^nine to five\nshop>/m)
  await terminal.type('add a=20 b=22', 'Enter')
  await terminal.until(/^42$/m)
  await terminal.until(/^42\nshop>/m)
  await terminal.type('C-d')
  assert.match(await terminal.until(/exit:/), /exit:0/)
  assert.match(at.seen(), /slow stopped/)
})
