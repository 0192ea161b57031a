import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { type WrapOptions, wrappedServer } from '@trunkline/authoring/wrap'
import { type Client, connect } from '@trunkline/mcp'
import { lacking } from '../../../../tools/lib/needs.ts'
import { until } from '../../../../tools/lib/until.ts'
import { hasProgram } from '../has-program.ts'
import { isAlive, program } from './wrapped.ts'

const env = { PATH: process.env.PATH ?? '' }
const inTerminals = {
  timeout: 120_000,
  skip: lacking('linux', process.platform === 'linux' && hasProgram('script', 'stty')),
}

function witness() {
  const folder = mkdtempSync(join(tmpdir(), 'limits-'))
  const file = join(folder, 'witness')
  return {
    file,
    async until(wanted: RegExp): Promise<readonly string[]> {
      for (;;) {
        const text = await Promise.resolve()
          .then(() => readFileSync(file, 'utf8'))
          .catch(() => '')
        const match = wanted.exec(text)
        if (match) return match
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}

function asking(limits: NonNullable<WrapOptions['limits']>, more: { readonly [name: string]: string } = {}) {
  const asks = join(import.meta.dirname, '../fixtures/asks.sh')
  const description = { program: [asks], tty: true, tools: [{ name: 'ask' }] }
  return wrappedServer(description, { version: '1', roots: ['/'], env: { ...env, ...more }, limits })
}

test('maxRuns: another program is not started, and is once one has ended', { timeout: 120_000 }, async () => {
  using at = witness()
  const description = {
    program,
    tools: [
      { name: 'obey', command: ['obey'] },
      { name: 'both', command: ['both'] },
    ],
  }
  const wrapped = wrappedServer(description, {
    version: '1',
    roots: ['/'],
    env: { ...env, WITNESS: at.file },
    limits: { maxRuns: 1 },
  })
  await using client: Client = await connect(wrapped)
  const stop = new AbortController()
  const first = client.tools.call('obey', {}, { signal: stop.signal })
  const [, pid] = await at.until(/runs (\d+)/)
  const refused = await client.tools.call('both', {})
  assert.equal(refused.isError, true)
  assert.match(JSON.stringify(refused.content), /1 of it run already; try again later/)
  stop.abort(new Error('enough'))
  await assert.rejects(first)
  await until(() => !isAlive(Number(pid)))
  const then = await client.tools.call('both', {})
  assert.equal(then.isError ?? false, false)
})

test('maxWaitingRuns and maxAnswerMs: programs do not wait without end, nor without number', inTerminals, async () => {
  const asked: (() => void)[] = []
  const isAsked = [0, 1].map((at) => new Promise<void>((resolve) => (asked[at] = resolve)))
  let questions = 0
  await using client: Client = await connect(asking({ maxWaitingRuns: 1, maxAnswerMs: 3_000 }), {
    // a person who has gone out
    elicitation: () => {
      asked[questions++]?.()
      return new Promise<never>(() => {})
    },
  })
  const enough = new AbortController()
  const first = client.tools.call('ask', {}, { signal: enough.signal })
  await isAsked[0]
  // the first one holds its place until it was left unanswered for some seconds; then the next one runs, and asks
  const outcomes: string[] = []
  for (;;) {
    const call = client.tools.call('ask', {}, { signal: enough.signal })
    const outcome = await Promise.race([call, isAsked[1]])
    if (!outcome) {
      call.catch(() => {})
      break
    }
    outcomes.push(JSON.stringify(outcome.content))
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  assert.ok(outcomes.length > 0)
  for (const outcome of outcomes) assert.match(outcome, /1 of it run in terminals already/)
  enough.abort(new Error('enough'))
  await assert.rejects(first, /enough/)
})
