import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { ClientOptions, ElicitationRequest } from '@trunkline/mcp/client'
import { lacking } from '../../../../tools/lib/needs.ts'
import { hasProgram } from '../has-program.ts'
import { type ProgramResult, wrapped } from './wrapped.ts'

const asks = { program: [join(import.meta.dirname, '../fixtures/asks.sh')], tty: true, timeoutSeconds: 20 }
const ask = { name: 'ask', arguments: [{ name: 'word', multiple: true }] }
const limit = { timeout: 60_000, skip: lacking('linux', process.platform === 'linux' && hasProgram('script', 'stty')) }

interface FormRequest {
  readonly requestedSchema: { readonly properties: object }
}

/** Answers as a person would: forms with these, and pages by visiting them. */
function person(seen: string[], answers: { readonly [field: string]: unknown }): ClientOptions {
  return {
    elicitation: {
      form: async (request: ElicitationRequest) => {
        seen.push(request.message)
        const [field = ''] = Object.keys((request as unknown as FormRequest).requestedSchema.properties)
        const value = answers[field]
        return value === undefined ? { action: 'decline' } : { action: 'accept', content: { [field]: value } }
      },
      url: async ({ message, url }: { message: string; url: string }) => {
        seen.push(message)
        const page = await (await fetch(url)).text()
        assert.match(page, /type="password"/)
        assert.equal((await fetch(new URL('/', url))).status, 404)
        assert.equal((await fetch(url, { headers: { origin: 'http://evil.example' } })).status, 404)
        await fetch(url, { method: 'POST', body: new URLSearchParams({ answer: 'hunter2' }) })
        return { action: 'accept' }
      },
    },
  } as unknown as ClientOptions
}

for (const revisions of [['2026-07-28'], ['2025-11-25']]) {
  test(`wrap --tty: questions for a line, a password and y/n are asked, in ${revisions}`, limit, async () => {
    const seen: string[] = []
    const client = { ...person(seen, { answer: 'Ada; rm -rf /', yes: true }), revisions }
    await using at = await wrapped({ ...asks, tools: [ask] }, { client })
    const { structuredContent, isError } = await at.client.tools.call('ask', { word: ['$HOME', '"; echo evil'] })
    const { stdout, exitCode } = structuredContent as ProgramResult
    assert.equal(isError ?? false, false)
    assert.match(stdout, /Ada; rm -rf \/ has 7 characters, y, 2 words/)
    assert.equal(exitCode, 0)
    assert.ok(!JSON.stringify(structuredContent).includes('hunter2'))
    assert.equal(seen.length, 3)
    assert.match(seen[0] ?? '', /Your name:/)
    assert.match(seen[1] ?? '', /Password:/)
    assert.match(seen[2] ?? '', /Delete Ada.*\[y\/N\]/)
  })
}

test('wrap --tty: a client that cannot be asked is told what the program asks', limit, async () => {
  for (const revisions of [['2024-11-05'], ['2026-07-28']]) {
    await using at = await wrapped({ ...asks, tools: [ask] }, { client: { revisions } })
    const { isError, content } = await at.client.tools.call('ask', {})
    assert.equal(isError, true)
    assert.match(JSON.stringify(content), /asks .*Your name:.*: this client cannot be asked/)
  }
})

test('wrap --tty: who declines ends the program, and an exit code is kept', limit, async () => {
  const client = person([], {})
  await using at = await wrapped({ ...asks, tools: [ask] }, { client })
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
  timeout: 60_000,
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
  // what was typed before is no part of the next question
  assert.ok(!seen[1]?.includes('./key'))
  assert.match(readFileSync(join(at.folder, 'key'), 'utf8'), /OPENSSH PRIVATE KEY/)
})
