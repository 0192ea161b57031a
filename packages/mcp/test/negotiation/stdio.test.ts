import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type ClientOptions, connect } from '@trunkline/mcp'

const program = fileURLToPath(new URL('scripted-server.ts', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'trunkline-negotiation-'))
after(() => rmSync(folder, { recursive: true }))

/** Connects to a server of this manner and tells what the server saw. */
async function meet(manner: string, options: ClientOptions = {}, times = 1) {
  const journal = join(folder, `${manner}-${crypto.randomUUID()}`)
  const target = { command: process.execPath, args: [program, manner, journal] }
  const warnings: string[] = []
  let revision: string | undefined
  for (let time = 0; time < times; time++) {
    await using mcp = await connect(target, { onWarning: (message) => warnings.push(message), ...options })
    revision = mcp.revision
    assert.equal((await mcp.tools.list().all()).length, 1)
  }
  const seen = readFileSync(journal, 'utf8').trim().split('\n')
  return {
    revision,
    warnings,
    starts: seen.filter((line) => line.startsWith('start')).length,
    seen: seen.filter((line) => !line.startsWith('start')),
  }
}

const greeting = ['server/discover', 'initialize', 'notifications/initialized', 'tools/list']

for (const manner of [
  ...['method-not-found', 'invalid-request', 'invalid-params', 'not-initialized', 'resource-not-found', 'parse-error'],
  ...['private-code', 'noisy'],
]) {
  test(`a server that answers the probe with ${manner} is greeted the old way by the same child`, async () => {
    const { revision, starts, seen } = await meet(manner)
    assert.equal(revision, '2025-11-25')
    assert.equal(starts, 1)
    assert.deepEqual(seen, greeting)
  })
}

for (const manner of ['silent', 'id-null']) {
  test(`a server that leaves the probe unanswered (${manner}) is greeted the old way by the same child`, async () => {
    const { revision, starts } = await meet(manner, { probeMs: 50 })
    assert.equal(revision, '2025-11-25')
    assert.equal(starts, 1)
  })
}

for (const manner of ['dies', 'dies-later']) {
  test(`a server that ${manner === 'dies' ? 'dies of the probe' : 'refuses the probe and dies'} is started again and greeted the old way`, async () => {
    const { revision, starts, seen } = await meet(manner)
    assert.equal(revision, '2025-11-25')
    assert.equal(starts, 2)
    assert.deepEqual(seen, greeting)
  })
}

test('the verdict is remembered: the same command is not probed again', async () => {
  const { starts, seen } = await meet('dies', {}, 2)
  assert.equal(starts, 3)
  assert.deepEqual(seen, [...greeting, ...greeting.slice(1)])
})

test('a server that names only handshake revisions is taken at its word', async () => {
  const { revision, seen } = await meet('old-only')
  assert.equal(revision, '2025-06-18')
  assert.deepEqual(seen, greeting)
})

test('a server that names no revision we speak is not greeted the old way', async () => {
  await assert.rejects(meet('unknown-only'), { code: -32022 })
})

test('a counter-offer that we speak is accepted', async () => {
  assert.equal((await meet('counter-offer')).revision, '2024-11-05')
})

test('a counter-offer that we do not speak ends the connection', async () => {
  await assert.rejects(meet('future-offer'), { code: 'Unsupported', message: /wants to speak 2099-01-01/ })
})

test("what is no message on the server's output is skipped and reported", async () => {
  const { warnings } = await meet('noisy')
  assert.deepEqual(
    warnings.map((warning) => warning.split(': ').at(-1)),
    ['Starting up...', '{not json'],
  )
})

test('a program that is not there says so, and what to do', async () => {
  await assert.rejects(connect({ command: 'no-such-program-anywhere' }), {
    code: 'Spawn',
    outcome: 'NotSent',
    message: /Cannot start "no-such-program-anywhere": no such program/,
  })
})
