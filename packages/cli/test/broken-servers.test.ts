import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../../tools/lib/until.ts'
import { fixture, runCli } from './run-cli.ts'
import { witness } from './witness.ts'
import { isAlive } from './wrap/wrapped.ts'

const hidden = /(?!\n)\p{Cc}|\p{Cf}/u

test('a server that dies at once: exit 4, with its exit code and what it wrote to stderr', async () => {
  for (const args of [['tools'], ['ping'], ['call', 'work']]) {
    const { exit, stdout, stderr } = await runCli([...args, ...fixture('broken', 'dies at once')])
    assert.equal(exit, 4, args[0])
    assert.equal(stdout, '')
    assert.match(stderr, /exited with code 7/)
    assert.match(stderr, /no license found/)
  }
})

test('a server that dies in a call: exit 4, and the call is not sent again', async () => {
  using at = witness()
  const { exit, stderr } = await runCli(['call', ...at.env, 'work', ...fixture('broken', 'dies in a call')])
  assert.equal(exit, 4)
  assert.match(stderr, /exited with code 3.*\ncannot open the database/)
  assert.equal(at.seen().match(/tools\/call/g)?.length, 1)
})

/** Resolves when the server that noted its process has ended. */
async function whenEnded(seen: string): Promise<void> {
  const pid = Number(/^process (\d+)$/m.exec(seen)?.[1])
  assert.ok(pid > 0, seen)
  await until(() => !isAlive(pid))
}

test('a server that never answers: exit 124 in time, and nothing is left running', { timeout: 120_000 }, async () => {
  using at = witness()
  const args = ['tools', ...at.env, '--timeout', '1', ...fixture('broken', 'never answers')]
  const { exit, stderr } = await runCli(args)
  assert.equal(exit, 124)
  assert.match(stderr, /no answer .* in 1000 ms/)
  assert.match(stderr, /--timeout SECONDS/)
  await whenEnded(at.seen())
})

test('Ctrl-C in a call: cancelled on the wire, sent once, exit 130, and nothing is left running', {
  timeout: 120_000,
}, async () => {
  using at = witness()
  const stop = (pid: number): void => void at.whenSeen(/tools\/call/).then(() => process.kill(pid, 'SIGINT'))
  const args = ['call', ...at.env, '--json', 'work', ...fixture('broken', 'never answers a call')]
  const { exit, stdout, stderr } = await runCli(args, { onStart: stop })
  assert.deepEqual([exit, stdout, JSON.parse(stderr).error.code], [130, '', 'Interrupted'])
  assert.match(at.seen(), /\ntools\/call\nnotifications\/cancelled\n$/)
  assert.equal(at.seen().match(/tools\/call/g)?.length, 1)
  await whenEnded(at.seen())
})

test('a call that is given up is cancelled on the wire, and sent once', async () => {
  using at = witness()
  const args = ['call', ...at.env, '--timeout', '3', '--revision', '2025-06-18', 'work']
  const { exit } = await runCli([...args, ...fixture('broken', 'never answers a call')])
  assert.equal(exit, 124)
  assert.equal(at.seen().match(/tools\/call/g)?.length, 1)
  assert.match(at.seen(), /tools\/call\nnotifications\/cancelled\n$/)
})

test('a server that floods its stdout: an error in time, with what it wrote quoted, and it is ended', {
  timeout: 120_000,
}, async () => {
  using at = witness()
  const args = ['tools', ...at.env, '--quiet', '--timeout', '2', ...fixture('broken', 'floods')]
  const { exit, stderr } = await runCli(args)
  assert.ok(exit === 124 || exit === 3 || exit === 4, `${exit}`)
  assert.match(stderr, /noise/)
  assert.ok(stderr.length < 100_000, `${stderr.length}`)
  await whenEnded(at.seen())
})

test('a line on stdout that is no message is quoted, and does no harm', async () => {
  const { exit, stdout, stderr } = await runCli(['tools', ...fixture('broken', 'prints to stdout')])
  assert.equal(exit, 0)
  assert.match(stdout, /^work /m)
  assert.match(stderr, /warning: .*Server started on port 3000/)
})

test('a program that is no server: some of what it prints is quoted, and not a page of it', async () => {
  const prints = 'for (let line = 1; line <= 50; line++) console.log("usage", line)'
  const { exit, stderr } = await runCli(['ping', '--', process.execPath, '-e', prints])
  assert.equal(exit, 4)
  assert.deepEqual(
    stderr.match(/no message: usage \d+/g),
    [1, 2, 3].map((line) => `no message: usage ${line}`),
  )
  assert.match(stderr, /wrote more to stdout that is no message; is it a server\?/)
  assert.match(stderr, /^trunkline: /m)
})

test('pages without end are ended', async () => {
  const { exit, stderr } = await runCli(['tools', ...fixture('broken', 'endless pages')])
  assert.equal(exit, 3)
  assert.match(stderr, /more than \d+ pages/)
})

test('one bad tool does not hide the others', async () => {
  const { exit, stdout, stderr } = await runCli(['tools', ...fixture('broken', 'one bad tool')])
  assert.equal(exit, 0)
  assert.match(stdout, /^work /m)
  assert.match(stdout, /^more /m)
  assert.match(stderr, /warning: Left out tools\[1\]/)
})

test('a schema that lies: said, and the server may judge', async () => {
  const { exit, stdout, stderr } = await runCli(['call', 'work', 'n=1', ...fixture('broken', 'a schema that lies')])
  assert.equal(exit, 0)
  assert.equal(stdout, 'worked\n')
  assert.match(stderr, /warning: The arguments are not checked: /)
})

test('no escape, C1, bidi or zero-width character of a server is printed, in any output', async () => {
  const lines = [
    ['tools'],
    ['tools', 'work'],
    ['call', 'work'],
    ['discover'],
    ['trace', 'tools'],
    ['call', 'wrk'],
    ['call', 'nope'],
  ]
  for (const args of lines) {
    for (const json of [[], ['--json']]) {
      const [first = '', ...rest] = args
      const { stdout, stderr } = await runCli([first, ...json, ...rest, ...fixture('broken', 'hostile text')])
      assert.doesNotMatch(stdout, hidden, `${args}`)
      assert.doesNotMatch(stderr, hidden, `${args}`)
    }
  }
  const { stdout } = await runCli(['call', '--json', 'work', ...fixture('broken', 'hostile text')])
  // the escaped text is the same text
  assert.ok(JSON.parse(stdout).content[0].text.includes('\u001b]0;owned\u0007b\u001b[2Jc\u009bd\u202ee\u200bf'))
})

test('ten thousand tools are listed', async () => {
  const { exit, stdout } = await runCli(['tools', '--json', ...fixture('broken', 'many tools')])
  assert.equal(exit, 0)
  assert.equal(JSON.parse(stdout).tools.length, 10_000)
})

test('a program that does not exist, and an address where no server listens: exit 4', async () => {
  const missing = await runCli(['tools', '--', 'no-such-program-anywhere'])
  assert.equal(missing.exit, 4)
  assert.match(missing.stderr, /no such program/)
  const nobody = await runCli(['tools', 'http://127.0.0.1:1/mcp'])
  assert.equal(nobody.exit, 4)
  const json = await runCli(['tools', '--json', 'http://127.0.0.1:1/mcp'])
  assert.equal(JSON.parse(json.stderr).error.exit, 4)
})
