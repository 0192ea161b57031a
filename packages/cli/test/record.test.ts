import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { commandPath as launcher } from './command-path.ts'
import { fixture, runCli } from './run-cli.ts'
import { witness } from './witness.ts'

const root = join(import.meta.dirname, '../../..')
const everything = [
  '--',
  process.execPath,
  join(root, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js'),
]

test('record and replay: a session with server-everything is a mock server for the official client', async () => {
  using at = witness()
  const file = join(at.folder, 'session.jsonl')
  const recorded = await runCli(['record', file, 'call', 'get-sum', 'a=2', 'b=40', ...everything])
  assert.equal(recorded.exit, 0, recorded.stderr)
  assert.match(recorded.stdout, /The sum of 2 and 40 is 42/)

  const client = new Client({ name: 'official', version: '1' })
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [launcher, 'replay', file] }))
  const { tools } = await client.listTools()
  assert.ok(tools.some(({ name }) => name === 'get-sum'))
  const { content } = await client.callTool({ name: 'get-sum', arguments: { b: 40, a: 2 } })
  assert.deepEqual(content, [{ type: 'text', text: 'The sum of 2 and 40 is 42.' }])
  await assert.rejects(
    client.callTool({ name: 'get-sum', arguments: { a: 1, b: 1 } }),
    /Nothing was recorded of tools\/call/,
  )
  await client.close()

  // with --json its stdout is the protocol all the same
  const mock = ['--', process.execPath, launcher, 'replay', '--json', file]
  const again = await runCli(['call', '--json', 'get-sum', 'a=2', 'b=40', ...mock])
  assert.equal(JSON.parse(again.stdout).content[0].text, 'The sum of 2 and 40 is 42.')
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
