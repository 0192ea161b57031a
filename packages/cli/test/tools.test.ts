import assert from 'node:assert/strict'
import { test } from 'node:test'
import { revisions } from '@trunkline/mcp/testing'
import { fixture, runCli } from './run-cli.ts'

test('tools: a table for people, without escapes when piped', async () => {
  const { exit, stdout, stderr } = await runCli(['tools', ...fixture('shop')])
  assert.equal(exit, 0, stderr)
  assert.match(stdout, /^TOOL +ARGUMENTS +WHAT IT DOES\n/)
  assert.match(stdout, /^add +a b +Adds two numbers$/m)
  assert.match(
    stdout,
    /^order +item \[size\] \[count\] \[gift\] \[tags\] \[address\] \[extras\] \[1 more\] +Orders something$/m,
  )
  assert.ok(!stdout.includes('\u001b'))
  assert.equal(stderr, '')
})

test('tools: JSON for scripts is the result of the protocol', async () => {
  const { exit, stdout } = await runCli(['tools', '--json', ...fixture('shop')])
  assert.equal(exit, 0)
  const { tools } = JSON.parse(stdout)
  assert.equal(tools[0].name, 'add')
  assert.deepEqual(tools[0].inputSchema.required, ['a', 'b'])
})

test('tools: one tool shows what it takes', async () => {
  const { exit, stdout } = await runCli(['tools', 'order', ...fixture('shop')])
  assert.equal(exit, 0)
  assert.match(stdout, /^item +string +required +What to order$/m)
  assert.match(stdout, /^size +"small" \| "large" +How much of it$/m)
  assert.match(stdout, /^tags +list of string *$/m)
  assert.match(stdout, /^address +\{ street\??: string, number\??: \w+.* \}/m)
})

test('tools: a near name is suggested', async () => {
  const { exit, stdout, stderr } = await runCli(['tools', 'ordr', ...fixture('shop')])
  assert.equal(exit, 1)
  assert.equal(stdout, '')
  assert.equal(stderr, 'trunkline: Cannot find tool "ordr": did you mean "order"?\n')
  assert.match((await runCli(['tools', 'ord', ...fixture('shop')])).stderr, /"ord": did you mean "order"\?/)
})

test('--revision: the one that is named is spoken, and no other', async () => {
  for (const revision of revisions) {
    const { exit, stdout, stderr } = await runCli(['discover', '--json', '--revision', revision, ...fixture('shop')])
    assert.equal(exit, 0, stderr)
    assert.equal(JSON.parse(stdout).protocolVersion, revision)
  }
  // the server speaks another one
  const other = await runCli(['tools', '--revision', '2026-07-28', ...fixture('broken', '')])
  assert.equal(other.exit, 3, other.stderr)
  assert.match(other.stderr, /speaks no revision that this client offers \(2026-07-28\)/)
  const { exit, stderr } = await runCli(['tools', '--revision=2020-01-01', ...fixture('shop')])
  assert.equal(exit, 1)
  assert.match(stderr, /2020-01-01/)
})
