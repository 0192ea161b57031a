/** Headers that are long and hostile: reading them takes time in proportion to their length, and no more. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toFetch } from '@trunkline/mcp/http'
import { counting } from './counting.ts'
import { openSession } from './faces.ts'
import { toolCall } from './messages.ts'

const length = 65_536
// the clock of a process ticks in steps of some milliseconds
const tickMicros = 100_000

const fillings = [
  ' ',
  'a',
  ';',
  '; ',
  ',',
  ', ',
  ';q=0',
  '; q = 0 ',
  '/',
  'a/',
  '[',
  ':',
  '.',
  '-',
  '"',
  '=',
  'A',
  '\t',
  '::',
  'mcp-param-a,',
]
const shapes: readonly ((filling: string) => string)[] = [
  (filling) => filling,
  (filling) => `application/json${filling}x`,
  (filling) => `=?base64?${filling}?=`,
  (filling) => `[${filling}]x`,
  (filling) => `http://${filling}`,
  (filling) => `localhost:${filling}x`,
]
const headers = [
  ...['content-type', 'accept', 'host', 'origin', 'content-encoding', 'access-control-request-headers'],
  ...['mcp-session-id', 'mcp-protocol-version', 'mcp-method', 'mcp-name', 'last-event-id'],
]

test('toFetch: no header takes more than its length to read', async () => {
  const handler = toFetch(counting().definition, { cors: {} })
  const { headers: usual, body } = toolCall('count')
  const session = await openSession({
    async send({ headers: own = {}, body: text }) {
      const response = await handler(
        new Request('http://localhost/mcp', { method: 'POST', headers: own, body: text as string }),
      )
      return { status: response.status, headers: response.headers, text: await response.text() }
    },
  })
  const requests = (name: string, value: string): Request[] => [
    new Request('http://localhost/mcp', { method: 'POST', headers: { ...usual, [name]: value }, body }),
    new Request('http://localhost/mcp', { headers: { accept: 'text/event-stream', ...session, [name]: value } }),
    new Request('http://localhost/mcp', { method: 'OPTIONS', headers: { origin: 'http://localhost', [name]: value } }),
  ]
  const cost = async (name: string, value: string): Promise<number> => {
    const sent = requests(name, value)
    const before = process.cpuUsage()
    for (const request of sent) await (await handler(request)).body?.cancel()
    return process.cpuUsage(before).user
  }
  for (const name of headers) {
    const harmless = await cost(name, 'x'.repeat(length))
    for (const filling of fillings) {
      for (const shape of shapes) {
        const value = shape(filling.repeat(length / filling.length))
        const taken = await cost(name, value)
        assert.ok(taken <= 20 * harmless + tickMicros, `${name}: ${value.slice(0, 40)} took ${taken}, not ${harmless}`)
      }
    }
  }
})
