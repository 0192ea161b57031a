import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { connect } from '@trunkline/mcp'
import { commandPath as launcher } from './command-path.ts'
import { fixture, runCli } from './run-cli.ts'
import { witness } from './witness.ts'

const root = join(import.meta.dirname, '../../..')
const everything = [
  '--',
  process.execPath,
  join(root, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js'),
]

/** A session with something of everything, as it is typed. */
const session = [
  'tools',
  'get-sum a=2 b=40',
  'echo message=hello',
  'echo',
  'trigger-long-running-operation duration=0.1 steps=2',
  'resources',
  'read demo://resource/dynamic/text/1',
  'prompts',
  'prompt args-prompt city=Oslo state=Norway',
  'complete completable-prompt department E',
].join('\n')

test('record: a session with server-everything is a mock server for the official client, and a test of the server', async (t) => {
  using at = witness()
  const file = join(at.folder, 'session.jsonl')
  const recorded = await runCli(['record', file, 'repl', '--quiet', ...everything], { input: session })
  assert.match(recorded.stdout, /The sum of 2 and 40 is 42/)
  assert.match(recorded.stderr, /message is required/)

  const client = new Client({ name: 'official', version: '1' })
  t.after(() => client.close())
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [launcher, 'replay', file] }))
  const { tools } = await client.listTools()
  assert.ok(tools.some(({ name }) => name === 'get-sum'))
  const { content } = await client.callTool({ name: 'get-sum', arguments: { b: 40, a: 2 } })
  assert.deepEqual(content, [{ type: 'text', text: 'The sum of 2 and 40 is 42.' }])
  const { contents } = await client.readResource({ uri: 'demo://resource/dynamic/text/1' })
  assert.match(JSON.stringify(contents), /Resource 1/)
  const { messages } = await client.getPrompt({ name: 'args-prompt', arguments: { city: 'Oslo', state: 'Norway' } })
  assert.match(JSON.stringify(messages), /Oslo, Norway/)
  await assert.rejects(
    client.callTool({ name: 'get-sum', arguments: { a: 1, b: 1 } }),
    /Nothing was recorded of tools\/call/,
  )
  const steps: unknown[] = []
  await using own = await connect({ command: process.execPath, args: [launcher, 'replay', file] })
  const long = { duration: 0.1, steps: 2 }
  await own.tools.call('trigger-long-running-operation', long, { onProgress: (told) => steps.push(told.progress) })
  assert.deepEqual(steps, [1, 2])

  // with --json its stdout is the protocol all the same
  const mock = ['--', process.execPath, launcher, 'replay', '--json', file]
  const again = await runCli(['call', '--json', 'get-sum', 'a=2', 'b=40', ...mock])
  assert.equal(JSON.parse(again.stdout).content[0].text, 'The sum of 2 and 40 is 42.')

  const checked = await runCli(['test', file, '--json', ...mock])
  assert.equal(checked.exit, 0, checked.stderr)
  const { tests } = JSON.parse(checked.stdout) as { tests: readonly { readonly name: string }[] }
  const names = tests.map(({ name }) => name)
  assert.deepEqual(names.slice(0, 3), ['request tools/list', 'call get-sum', 'call echo'])

  // the server itself offers more tools to a client that can take tasks, as the recorded one can
  const short = join(at.folder, 'short.jsonl')
  await runCli(['record', short, 'call', 'echo', 'message=hi', ...everything])
  const repeated = await runCli(['test', short, ...everything])
  assert.equal(repeated.exit, 0, repeated.stdout)
})

test('record and test: a recorded session is a regression test of the server, questions and errors included', async () => {
  using at = witness()
  const file = join(at.folder, 'session.jsonl')
  const answers = ['--answer', 'name=Ada', '--answer', 'age=36']
  for (const revision of ['2025-11-25', '2026-07-28']) {
    const line = ['repl', '--quiet', '--revision', revision, ...answers, ...fixture('shop')]
    await runCli(['record', '--force', file, ...line], { input: 'add a=1 b=2\ngreet\nfail\nrefuse\nread shop:hours\n' })
    const passed = await runCli(['test', file, ...fixture('shop')])
    assert.equal(passed.exit, 0, passed.stdout + passed.stderr)
    const told = passed.stdout.replaceAll(/ \d+ ms$/gm, '')
    const names = ['request tools/list', 'call add', 'call greet', 'call fail', 'call refuse', 'read shop:hours']
    assert.equal(told, names.map((name) => `ok   ${name}\n`).join(''))

    const text = readFileSync(file, 'utf8')
    writeFileSync(file, text.replace('"text":"3"', '"text":"4"').replace('Out of coffee', 'Out of tea'))
    const report = join(at.folder, 'report.xml')
    const failed = await runCli(['test', file, '--junit', report, ...fixture('shop')])
    assert.equal(failed.exit, 2)
    assert.match(failed.stdout, /^FAIL call add: content\[0\]\.text is "3", not "4"$/m)
    assert.match(failed.stdout, /^FAIL call fail: content\[0\]\.text is "Out of coffee", not "Out of tea"$/m)
    assert.match(failed.stderr, /2 of 6 tests failed/)
    assert.match(readFileSync(report, 'utf8'), /tests="6" failures="2"/)
  }
  const elsewhere = await runCli(['test', file, ...fixture('broken', '')])
  assert.equal(elsewhere.exit, 3)
  assert.match(elsewhere.stderr, /speaks no revision that this client offers \(2026-07-28\)/)
  const nobody = await runCli(['test', file])
  assert.match(nobody.stderr, /Cannot tell which server is meant/)
})

test('record: secrets are masked in the file, and a call with one is found again', async () => {
  using at = witness()
  const file = join(at.folder, 'secret.jsonl')
  const item = 'item=ghp_0123456789abcdefghijABCDEFGHIJ'
  await runCli(['record', file, 'call', 'order', item, ...fixture('shop')])
  assert.doesNotMatch(readFileSync(file, 'utf8'), /ghp_/)
  const { exit, stdout } = await runCli(['call', 'order', item, '--', process.execPath, launcher, 'replay', file])
  assert.equal(exit, 0)
  assert.match(stdout, /\[masked\]/)
})

test('record: a line that is wrong costs no earlier recording, and a full disk stops it with a sentence', async () => {
  using at = witness()
  const file = join(at.folder, 'kept.jsonl')
  writeFileSync(file, 'precious')
  const typo = await runCli(['record', file, 'cal', 'add', ...fixture('shop')])
  assert.match(typo.stderr, /Cannot run "cal": .*did you mean "call"\?/)
  assert.equal(readFileSync(file, 'utf8'), 'precious')
  const refused = await runCli(['record', file, 'tools', ...fixture('shop')])
  assert.equal(refused.exit, 1)
  assert.match(refused.stderr, /kept\.jsonl": the file is there already\nName another file, or replace it: .*--force/)
  assert.equal(readFileSync(file, 'utf8'), 'precious')
  const forgotten = await runCli(['record', 'call', 'add', 'a=1', 'b=2', ...fixture('shop')], { cwd: at.folder })
  assert.match(forgotten.stderr, /Cannot record: name a file and a command; "call" is a command/)
  assert.equal(existsSync(join(at.folder, 'call')), false)

  const line = [launcher, 'record', '--force', file, 'call', 'order', `item=${'x'.repeat(9_000)}`, ...fixture('shop')]
  const limited = ['-c', 'ulimit -f 8; exec "$@"', 'sh', process.execPath, ...line]
  const { status, stderr } = spawnSync('sh', limited, { encoding: 'utf8' })
  assert.equal(status, 1, stderr)
  assert.match(stderr, /^trunkline: Cannot write: the file may not grow any further\n$/m)
  assert.doesNotMatch(stderr, /\n\s+at /)
})

test('record and replay: progress and questions come again', async () => {
  using at = witness()
  const file = join(at.folder, 'form.jsonl')
  const answers = ['--answer', 'name=Ada', '--answer', 'age=36', '--revision', '2025-11-25']
  const recorded = await runCli(['record', file, 'call', ...answers, 'greet', ...fixture('shop')])
  assert.match(recorded.stdout, /Hello Ada/)
  const replayed = await runCli(['call', ...answers, 'greet', '--', process.execPath, launcher, 'replay', file])
  assert.match(replayed.stdout, /Hello Ada/)
})

test('replay: a file that is no recording is named, with the line', async () => {
  using at = witness()
  const file = join(at.folder, 'x.jsonl')
  writeFileSync(file, '{"recording": "trunkline", "format": 1}\nnonsense\n')
  const broken = await runCli(['replay', file])
  assert.equal(broken.exit, 1)
  assert.match(broken.stderr, /line 2 is no JSON object/)
  writeFileSync(file, '{"jsonrpc": "2.0"}\n')
  assert.match((await runCli(['replay', file])).stderr, /it is no recording of trunkline/)
  assert.match((await runCli(['replay', '/no/such/file'])).stderr, /there is no such file/)
  const inJson = await runCli(['replay', '--json', file])
  assert.deepEqual([inJson.exit, inJson.stdout], [1, ''])
  assert.match(JSON.parse(inJson.stderr).error.message, /it is no recording of trunkline/)
})
