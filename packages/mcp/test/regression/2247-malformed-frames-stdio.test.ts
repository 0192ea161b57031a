import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rawStdio } from '../raw-stdio.ts'
import { fresh } from './fresh.ts'

const frames: readonly { what: string; line: string; code: number; id?: number }[] = [
  { what: 'text that is no JSON', line: 'hello', code: -32700 },
  { what: 'JSON that breaks off', line: '{"jsonrpc":"2.0","id":1,"method":', code: -32700 },
  { what: 'a number', line: '42', code: -32600 },
  { what: 'null', line: 'null', code: -32600 },
  { what: 'an object that says nothing', line: '{}', code: -32600 },
  { what: 'an empty batch', line: '[]', code: -32600 },
  { what: 'another version of JSON-RPC', line: '{"jsonrpc":"1.0","id":7,"method":"ping"}', code: -32600, id: 7 },
  { what: 'a method that is no string', line: '{"jsonrpc":"2.0","id":8,"method":5}', code: -32600, id: 8 },
  { what: 'params that are a list', line: '{"jsonrpc":"2.0","id":9,"method":"ping","params":[]}', code: -32600, id: 9 },
  { what: 'an id that is an object', line: '{"jsonrpc":"2.0","id":{},"method":"ping"}', code: -32600 },
]

for (const { what, line, code, id } of frames) {
  test(`${what} is answered with ${code}, and the next request as if nothing had been`, async () => {
    const client = rawStdio('server')
    const talk = fresh().serve(client.channel)
    client.say(line, { jsonrpc: '2.0', id: 'next', method: 'ping' })
    const refusal = await client.heard.take()
    assert.equal(refusal.error.code, code)
    assert.match(refusal.error.message, /^Cannot read/)
    assert.equal(refusal.id ?? undefined, id)
    assert.deepEqual(await client.heard.take(), { jsonrpc: '2.0', id: 'next', result: {} })
    client.hangUp()
    await talk.peer.whenClosed
  })
}
