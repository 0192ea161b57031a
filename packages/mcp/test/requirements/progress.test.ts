import assert from 'node:assert/strict'
import { mock } from 'node:test'
import type { Client, Progress } from '../../src/index.ts'
import { nodeFetch } from '../../src/transports/http/client/fetch/node-fetch.ts'
import type { Fields } from '../../src/wire/messages.ts'
import { gate } from '../gate.ts'
import { turnsUntil } from '../soon.ts'
import { witness } from './harness/said.ts'
import { verifies } from './verifies.ts'

verifies('progress: reaches the caller', async ({ open }) => {
  const client = await open('working')
  const heard: (Progress | 'answered')[] = []
  await client.tools.call('step', {}, { onProgress: (report) => heard.push(report) }).then(() => heard.push('answered'))
  assert.deepEqual(
    heard.map((report) => (report === 'answered' ? report : [report.progress, report.total])),
    [[1, 3], [2, 3], [2.5, 3], 'answered'],
  )
})

verifies('progress: messages', async ({ open }) => {
  const client = await open('working')
  const heard: unknown[] = []
  await client.tools.call('step', {}, { onProgress: ({ message }) => heard.push(message) })
  assert.deepEqual(heard, ['one', 'two', 'half'])
})

verifies('progress: no messages', async ({ raw }) => {
  const end = await raw('working')
  await end.result('tools/call', { name: 'step', _meta: { progressToken: 1 } })
  const [first] = end.told('notifications/progress')
  assert.deepEqual(first?.params, { progressToken: 1, progress: 1, total: 3 })
})

verifies('progress: token', async ({ raw }) => {
  const end = await raw('working')
  for (const token of ['text', '7', 7, 0, '']) {
    const before = end.told('notifications/progress').length
    await end.result('tools/call', { name: 'step', _meta: { progressToken: token } })
    const reports = end.told('notifications/progress').slice(before)
    assert.deepEqual(
      reports.map(({ params }) => params?.progressToken),
      [token, token, token],
    )
  }
})

verifies('progress: unasked', async ({ raw }) => {
  const end = await raw('working')
  await end.result('tools/call', { name: 'step' })
  assert.deepEqual(end.told('notifications/progress'), [])
})

verifies('progress: only forward', async ({ raw, play }) => {
  const end = await raw('working')
  await end.result('tools/call', { name: 'step', _meta: { progressToken: 't' } })
  assert.deepEqual(
    end.told('notifications/progress').map(({ params }) => params?.progress),
    [1, 2, 2.5],
  )
  const report = (progress: number) => ({
    method: 'notifications/progress',
    params: { progressToken: '$token', progress },
  })
  const client = await play({
    'tools/call': [[report(1), report(1), report(0.5), report(2), { result: { content: [] } }]],
  })
  const heard: number[] = []
  await client.tools.call('any', {}, { onProgress: ({ progress }) => heard.push(progress) })
  assert.deepEqual(heard, [1, 2])
})

verifies('progress: tokens of a client', async ({ open, sent }) => {
  const client = await open('working')
  const onProgress = (): void => {}
  await Promise.all([
    client.tools.call('step', {}, { onProgress }),
    client.tools.call('step', {}, { onProgress }),
    client.tools.call('step', {}, { onProgress }),
  ])
  const tokens = sent('tools/call').map(({ params }) => (params?._meta as Fields | undefined)?.progressToken)
  for (const token of tokens) assert.ok(typeof token === 'string' || Number.isInteger(token), `${token}`)
  assert.equal(new Set(tokens).size, 3)
})

verifies('progress: unknown token', async ({ play }) => {
  const report = (progressToken: unknown) => ({
    method: 'notifications/progress',
    params: { progressToken, progress: 1 },
  })
  const client = await play({
    'tools/call': [
      [report('nobody'), { result: { content: [] } }, report('$token')],
      [report('0'), { result: { content: [] } }],
    ],
  })
  const heard: Progress[] = []
  for (const name of ['first', 'second']) {
    await client.tools.call(name, {}, { onProgress: (progress) => heard.push(progress) })
  }
  assert.deepEqual(heard, [])
})

// the platform's fetch takes its own time limits from the timers that these tests hold
const held = { fetch: nodeFetch }

/** Waits in vain for an answer; resolves with the reason that the handler heard. */
async function overdue(client: Client): Promise<string> {
  mock.timers.enable({ apis: ['setTimeout'] })
  try {
    const call = client.tools.call('hang', {}, { timeoutMs: 5 })
    const ended = assert.rejects(call, { name: 'McpError', code: 'Timeout', outcome: 'Unknown' })
    await witness(client, 'started')
    mock.timers.tick(5)
    await ended
  } finally {
    mock.timers.reset()
  }
  return witness(client, 'aborted')
}

verifies('timeouts: silence', async ({ open }) => {
  await overdue(await open('working', held))
})

verifies(['timeouts: silence', 'cancel: tells the reason'], async ({ open }) => {
  assert.match(await overdue(await open('working', held)), /no answer in 5 ms/)
})

verifies(['timeouts: silence', 'cancel: names the request'], async ({ open, sent }) => {
  await overdue(await open('working', held))
  assert.equal(sent('notifications/cancelled').length, 1)
})

verifies('timeouts: total', async ({ open }) => {
  const client = await open('working', held)
  mock.timers.enable({ apis: ['setTimeout'] })
  try {
    let reached = 0
    const onProgress = ({ progress }: Progress): void => {
      reached = progress
    }
    const call = client.tools.call('pace', {}, { timeoutMs: 5_000, maxTotalMs: 13_000, onProgress })
    const ended = assert.rejects(call, { code: 'Timeout', message: /no answer in 13000 ms in total$/ })
    for (let step = 1; step <= 4; step++) {
      await client.tools.call('signal', { event: 'pace' })
      await turnsUntil(() => reached >= step, `step ${step}`)
      // all steps together are shorter than the limits of connections, whose timers run with these
      mock.timers.tick(4_000)
    }
    // a call without a limit in total is answered now
    await client.tools.call('signal', { event: 'pace', detail: 'stop' })
    await ended
    assert.equal(reached, 4)
  } finally {
    mock.timers.reset()
  }
})

verifies('timeouts: progress prolongs', async ({ open }) => {
  const client = await open('working', held)
  mock.timers.enable({ apis: ['setTimeout'] })
  try {
    let reached = 0
    const onProgress = ({ progress }: Progress): void => {
      reached = progress
    }
    const call = client.tools.call('pace', {}, { timeoutMs: 50, onProgress })
    for (let step = 1; step <= 4; step++) {
      void client.tools.call('signal', { event: 'pace' })
      await turnsUntil(() => reached >= step, `step ${step}`)
      mock.timers.tick(40)
    }
    await client.tools.call('signal', { event: 'pace', detail: 'stop' })
    assert.ok(await call)
  } finally {
    mock.timers.reset()
  }
})

verifies('timeouts: the user takes time', async ({ open }) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  try {
    let answer: (() => void) | undefined
    const client = await open('asking', {
      ...held,
      sampling: async () => {
        await new Promise<void>((resolve) => {
          answer = resolve
        })
        return { role: 'assistant', model: 'none', content: { type: 'text', text: 'la' } }
      },
    })
    const call = client.tools.call('sample', {}, { timeoutMs: 50 })
    await turnsUntil(() => answer !== undefined, 'the question')
    for (let waited = 0; waited < 500; waited += 40) mock.timers.tick(40)
    answer?.()
    assert.ok(await call)
  } finally {
    mock.timers.reset()
  }
})

verifies('timeouts: users are waited for no longer', async ({ open }) => {
  const answer = gate()
  const client = await open('asking', {
    elicitation: async () => {
      await answer.promise
      return { action: 'accept', content: { name: 'Ada' } }
    },
  })
  await assert.rejects(client.tools.call('name', {}, { maxTotalMs: 20 }), { code: 'Timeout' })
  answer.open()
})
