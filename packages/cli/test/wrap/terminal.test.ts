import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { lacking } from '../../../../tools/lib/needs.ts'
import { hasProgram } from '../has-program.ts'
import { person } from './person.ts'
import { type ProgramResult, wrapped } from './wrapped.ts'

const asks = { program: [join(import.meta.dirname, '../fixtures/asks.sh')], tty: true, timeoutSeconds: 20 }
const ask = { name: 'ask', arguments: [{ name: 'word', multiple: true }] }
const limit = { timeout: 120_000, skip: lacking('linux', process.platform === 'linux' && hasProgram('script', 'stty')) }

test('wrap --tty: who declines ends the program, and an exit code is kept', limit, async () => {
  const client = person([], {})
  await using at = await wrapped({ ...asks, tty: false, tools: [ask] }, { client, args: ['--tty'] })
  const { isError, content } = await at.client.tools.call('ask', {})
  assert.equal(isError, true)
  assert.match(JSON.stringify(content), /declin/)
  await using failing = await wrapped(
    { ...asks, env: { CODE: '7' }, tools: [ask] },
    { client: person([], { answer: 'x', yes: false }) },
  )
  const failed = await failing.client.tools.call('ask', {})
  assert.equal((failed.structuredContent as ProgramResult).exitCode, 7)
  assert.match((failed.structuredContent as ProgramResult).stdout, /7 characters, n,/)
  assert.equal(failed.isError, true)
})

test('wrap: without a terminal such a program is not given one', limit, async () => {
  await using at = await wrapped({ ...asks, tty: false, tools: [ask] })
  const { structuredContent } = await at.client.tools.call('ask', {})
  assert.equal((structuredContent as ProgramResult).exitCode, 9)
})

test('wrap --tty -- ssh-keygen: used for real', {
  timeout: 120_000,
  skip: lacking('linux', process.platform === 'linux' && hasProgram('script', 'stty', 'ssh-keygen')),
}, async () => {
  const seen: string[] = []
  const description = { program: ['ssh-keygen', '-t', 'ed25519'], tty: true, tools: [{ name: 'make_key' }] }
  await using at = await wrapped(description, { client: person(seen, { answer: './key' }) })
  const { structuredContent } = await at.client.tools.call('make_key', {})
  assert.equal((structuredContent as ProgramResult).exitCode, 0)
  assert.deepEqual(
    seen.map((message) => /(save the key|passphrase|again)/.exec(message)?.[1]),
    ['save the key', 'passphrase', 'passphrase'],
  )
  // earlier answers are no part of the next question
  assert.ok(!seen[1]?.includes('./key'))
  assert.match(readFileSync(join(at.folder, 'key'), 'utf8'), /OPENSSH PRIVATE KEY/)
})
