import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { checkServer } from '@trunkline/authoring/checking'
import { clients } from '@trunkline/host/config'
import { serve, server } from '@trunkline/mcp'
import { fixture, runCli } from './run-cli.ts'

interface Checked {
  readonly server: string
  readonly tools: number
  readonly tokens: number
  readonly startMs: number
  readonly clients: readonly {
    readonly client: string
    readonly findings: readonly {
      readonly level: string
      readonly about: string
      readonly tool?: string
      readonly source?: string
    }[]
  }[]
}

test('check: says per client what is refused and cut, and ends with 2', async () => {
  const { exit, stdout, stderr } = await runCli(['check', '--json', ...fixture('awkward')])
  assert.equal(exit, 2, stderr)
  assert.equal(JSON.parse(stderr).error.code, 'CheckFailed')
  const { server, tools, tokens, startMs, clients }: Checked = JSON.parse(stdout)
  assert.deepEqual([server, tools], ['awkward', 134])
  assert.ok(tokens > 1_000 && startMs > 0)
  const of = (client: string, level: string) =>
    (clients.find((one) => one.client === client)?.findings ?? []).filter((finding) => finding.level === level)
  const said = (client: string, level: string) =>
    of(client, level).map(({ about, tool }) => `${about} ${tool ?? ''}`.trim())
  assert.deepEqual(said('claude-code', 'refused'), ['schema union'])
  assert.deepEqual(said('vscode', 'refused'), [`name ${'n'.repeat(70)}`, 'schema list', 'tools'])
  assert.deepEqual(said('cursor', 'refused'), [`name ${'n'.repeat(70)}`, 'tools'])
  assert.deepEqual(said('gemini-cli', 'cut'), ['name with.dot', `name ${'n'.repeat(70)}`, 'annotations torn'])
  for (const client of ['zed', 'cline']) {
    assert.ok(said(client, 'cut').includes(`name ${'n'.repeat(70)}`), client)
    assert.deepEqual(said(client, 'refused'), [], client)
  }
  assert.ok(said('gemini-cli', 'note').includes('schema plain0'))
  assert.ok(said('windsurf', 'note').includes('annotations'))
  // a client that looks tools up when it needs them does not pay for all of them
  assert.deepEqual(
    [said('cursor', 'note').includes('tokens'), said('claude-code', 'note').includes('tokens')],
    [true, false],
  )
  assert.ok(of('vscode', 'refused').every(({ source }) => source?.startsWith('https://')))
})

test('checkServer: a start that takes long is noted, and refused where a client does not wait so long', () => {
  const levels = (startMs: number) =>
    Object.fromEntries(
      clients.map((client) => [
        client.id,
        checkServer({ name: 'slow', tools: [], tokens: 0, startMs }, client).map(
          ({ level, about }) => `${level} ${about}`,
        ),
      ]),
    )
  assert.deepEqual([...new Set(Object.values(levels(4_999)).flat())], [])
  assert.deepEqual(levels(31_000).codex, ['refused start'])
  assert.deepEqual(levels(31_000).cursor, ['note start'])
})

test('check: a table for people, one client alone, and nothing wrong is 0', async () => {
  const awkward = await runCli(['check', '--client', 'claude-code', ...fixture('awkward')])
  assert.equal(awkward.exit, 2)
  assert.match(
    awkward.stdout,
    /^awkward: 134 tools, about \d+ tokens in each conversation, started in \d+ ms\n\nClaude Code\n/,
  )
  assert.match(awkward.stdout, /refused union: it is left out: its schema has anyOf at the root → /)
  assert.ok(!awkward.stdout.includes('Cursor'))
  const shop = await runCli(['check', ...fixture('shop')])
  assert.equal(shop.exit, 0, shop.stderr)
  // a finding for all of them is printed once
  assert.equal(shop.stdout.match(/note +\d+ tools do not say what they do/g)?.length, 1)
  assert.match(shop.stdout, /^Every client$/m)
  assert.deepEqual(shop.stdout.match(/^ok Claude Code, Claude Desktop, |^ok /gm), ['ok Claude Code, Claude Desktop, '])
  const wrong = await runCli(['check', '--client', 'cursr', ...fixture('shop')])
  assert.equal(wrong.exit, 1)
  assert.match(wrong.stderr, /did you mean "cursor"/)
  await using http = await serve(
    server({ name: 'far', version: '1.0.0' }).tool('plain', { annotations: { readOnlyHint: true } }, () => 'ok'),
    { http: 0 },
  )
  const far = await runCli(['check', '--json', http.url])
  assert.equal(far.exit, 0, far.stderr)
  assert.equal(JSON.parse(far.stdout).server, 'far')
  const dead = await runCli(['check', '--', '/no/such/server'])
  assert.equal(dead.exit, 4)
})

test('check: no client refuses or cuts anything of the bundled servers, whose definitions have at most 3 000 tokens', async () => {
  for (const name of ['files', 'git', 'github', 'code']) {
    const main = join(import.meta.dirname, '../../servers', name, 'src/main.ts')
    const { stdout, stderr } = await runCli(['check', '--json', '--', process.execPath, main])
    assert.notEqual(stdout, '', `${name}: ${stderr}`)
    const { server, tools, tokens, clients: checked }: Checked = JSON.parse(stdout)
    assert.deepEqual([server, checked.length], [`trunkline-${name}`, clients.length])
    assert.ok(tools > 0 && tokens <= 3_000, `${name}: ${tools} tools with ${tokens} tokens`)
    // how long a start takes is up to the machine; a keyword that a client does not know is checked by the server
    const isExpected = ({ level, about }: { level: string; about: string }) =>
      about === 'start' || (level === 'note' && about === 'schema')
    const findings = checked.flatMap(({ client, findings }) => findings.map((finding) => ({ client, ...finding })))
    assert.deepEqual(
      findings.filter((finding) => !isExpected(finding)),
      [],
      name,
    )
  }
})
