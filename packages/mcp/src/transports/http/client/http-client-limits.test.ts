import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import '../../../../test/no-leaks.ts'
import { Recorder } from '../../../../test/recorder.ts'
import { type Answering, scripted } from '../../../../test/scripted-http.ts'
import { httpChannel } from './http-channel.ts'

const maxBytes = 4_194_304
const filler = 'x'.repeat(65_536)

/** Writes for as long as the other side reads; counts what it wrote. */
function endless(type: string, beginning: string, next: string): { answer: Answering; written: () => number } {
  let written = 0
  const write = (response: ServerResponse): void => {
    while (!response.destroyed) {
      written += next.length
      if (!response.write(next)) return void response.once('drain', () => write(response))
    }
  }
  const answer: Answering = (_, response) => {
    response.writeHead(200, { 'content-type': type }).write(beginning)
    write(response)
  }
  return { answer, written: () => written }
}

const endlessAnswers = {
  'a JSON text': endless('application/json', '{"jsonrpc":"2.0","id":1,"result":{"text":"', filler),
  'an event': endless('text/event-stream', 'data: ', filler),
  'an event of many lines': endless('text/event-stream', '', `data: ${filler}\n`),
  'a comment': endless('text/event-stream', ': ', filler),
}

for (const [what, { answer, written }] of Object.entries(endlessAnswers)) {
  test(`HttpChannel: ${what} without end is too large, and its connection ends`, async () => {
    await using server = await scripted(answer)
    const channel = httpChannel(server.url, { limits: { maxMessageBytes: maxBytes } })
    const receiver = new Recorder()
    channel.open(receiver)
    channel.send({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    await assert.rejects(receiver.unanswered(), { code: 'TooLarge', outcome: 'Unknown' })
    await server.seen[0]?.whenGone
    // beyond the limit there is only what was on its way
    assert.ok(written() < maxBytes + 16_777_216, `${written()} bytes were read`)
    await channel.close()
  })
}

test('HttpChannel: an answer that is not read does not go on without end either', async () => {
  const { answer, written } = endless('text/html', '', filler)
  await using server = await scripted(answer)
  const channel = httpChannel(server.url)
  const receiver = new Recorder()
  channel.open(receiver)
  channel.send({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  await assert.rejects(receiver.unanswered(), { code: 'InvalidResponse' })
  await server.seen[0]?.whenGone
  assert.ok(written() < 16_777_216, `${written()} bytes were read`)
  await channel.close()
})
