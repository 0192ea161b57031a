/** Many clients that lose their streams at the same moment: they are told to come back at different ones. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toFetch } from '@trunkline/mcp/http'
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
