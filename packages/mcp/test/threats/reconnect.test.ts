/** Many clients that lose their streams at the same moment: they are told to come back at different ones, and do. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toFetch } from '@trunkline/mcp/http'
import { Backoff } from '../../src/transports/http/client/backoff.ts'
import { channelSettings } from '../../src/transports/http/client/http-channel-options.ts'
import { numbers } from '../properties/turns.ts'
import { counting } from './counting.ts'
import type { Called } from './faces.ts'
import { openSession } from './faces.ts'

const clients = 500
const windowMs = 100

test('Session: how long clients wait before they come back differs, and is never less than was wanted', async () => {
  const handler = toFetch(counting().definition)
  const face: Called = {
    async send({ headers = {}, body = '' }) {
      const sent = { method: 'POST', headers, body: body as string }
      const response = await handler(new Request('http://localhost/mcp', sent))
      return { status: response.status, headers: response.headers, text: await response.text() }
    },
  }
  const waits: number[] = []
  for (let client = 0; client < clients; client++) {
    const headers = { accept: 'text/event-stream', ...(await openSession(face)) }
    const response = await handler(new Request('http://localhost/mcp', { headers }))
    const { value } = (await response.body?.getReader().read()) ?? {}
    const [, retry] = /^retry: (\d+)$/m.exec(new TextDecoder().decode(value)) ?? []
    waits.push(Number(retry))
  }
  await handler.close()
  assert.ok(
    waits.every((wait) => wait >= 1_000),
    `${Math.min(...waits)}`,
  )
  const within = (start: number): number => waits.filter((wait) => wait >= start && wait < start + windowMs).length
  const fullest = Math.max(...waits.map(within))
  // a twentieth is to be expected, and so much more is not in 10^9 runs
  assert.ok(fullest <= clients / 8, `${fullest} of ${clients} in ${windowMs} ms`)
})

// so many that chance makes no difference; what matters is which part of them comes when
const crowd = 20_000
const mostAtOnce = 0.05

/** Times at which each of a crowd is back at a server that has gone for a while, and the number of their tries. */
function comingBack(awayMs: number, askedMs: (random: () => number) => number) {
  const below = numbers(46)
  const random = (): number => below(2 ** 30) / 2 ** 30
  const { reconnect, clock } = channelSettings({ clock: { random } })
  const back: number[] = []
  let tries = 0
  for (let client = 0; client < crowd; client++) {
    const backoff = new Backoff(reconnect, clock)
    const asked = askedMs(random)
    let now = 0
    for (let wait = backoff.next(asked); wait !== undefined; wait = backoff.next(asked)) {
      tries += 1
      now += wait
      if (now < awayMs) continue
      back.push(now - awayMs)
      break
    }
  }
  return { back: back.sort((one, other) => one - other), triesEach: tries / crowd }
}

/** The largest part of a crowd that comes within one window, from some time on; the times are in order. */
function fullestWindow(times: readonly number[], fromMs: number): number {
  let fullest = 0
  let [first, next] = [0, 0]
  for (let start = fromMs; start < 60_000; start += windowMs / 2) {
    while ((times[first] ?? Number.POSITIVE_INFINITY) < start) first += 1
    while ((times[next] ?? Number.POSITIVE_INFINITY) < start + windowMs) next += 1
    fullest = Math.max(fullest, next - first)
  }
  return fullest / crowd
}

for (const awayMs of [0, 500, 1_000, 2_000, 3_000, 5_000]) {
  test(`Backoff: a server that was away for ${awayMs} ms and told clients when to come back is not overrun`, () => {
    const { back, triesEach } = comingBack(awayMs, (random) => 1_000 * (1 + 2 * random()))
    assert.ok(fullestWindow(back, 0) <= mostAtOnce, `${fullestWindow(back, 0)}`)
    assert.ok((back[crowd * 0.95] ?? Number.NaN) <= 15_000)
    assert.ok(triesEach < 5)
  })

  test(`Backoff: a server that was away for ${awayMs} ms without a word has a second to get over it`, () => {
    const { back } = comingBack(awayMs, () => 0)
    assert.ok(fullestWindow(back, 1_000) <= mostAtOnce, `${fullestWindow(back, 1_000)}`)
    // a client that has tried five times in vain waits until its user wants something
    assert.ok(back.length >= crowd * 0.8)
  })
}
