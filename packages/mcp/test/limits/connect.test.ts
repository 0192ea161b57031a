import assert from 'node:assert/strict'
import { test } from 'node:test'
import { programFile } from '../../../../tools/lib/program-file.ts'
import { toFetch } from '../../src/http.ts'
import { connect, serve, server } from '../../src/index.ts'
import { serveHttp, toNode } from '../../src/node.ts'

const large = programFile(new URL('large-answers.ts', import.meta.url))

const program = { command: process.execPath, args: [large] }

test('connect: an answer over stdio beyond limits.maxMessageBytes is TooLarge, and the next call passes', async () => {
  await using client = await connect(program, { limits: { maxMessageBytes: 10_000 } })
  await assert.rejects(client.tools.call('say', { length: 20_000 }), {
    code: 'TooLarge',
    outcome: 'Unknown',
    message: 'Cannot read an answer: it is larger than the 10000 bytes of "limits.maxMessageBytes"',
  })
  const { content } = await client.tools.call('say', { length: 3 })
  assert.deepEqual(content, [{ type: 'text', text: 'xxx' }])
})

test('connect: 12 MiB pass over stdio and over HTTP alike', async () => {
  const { definition } = await import('./large-answers.ts')
  await using http = await serve(definition, { http: 0 })
  for (const target of [program, new URL(http.url)]) {
    await using client = await connect(target)
    const { content } = await client.tools.call('say', { length: 12 * 1024 * 1024 })
    assert.equal(content[0]?.type === 'text' && content[0].text.length, 12 * 1024 * 1024)
  }
})

const empty = server({ name: 'empty', version: '1' })
const misspelt = { limits: { maxMessageByte: 1 } } as object
const refused = { code: 'Misuse', message: /^Cannot set "limits.maxMessageByte": no such limit here; did you mean/ }

test('a limit that does not exist is refused with the near name, wherever it is given', async () => {
  await assert.rejects(connect(empty, misspelt), refused)
  await assert.rejects(serve(empty, misspelt), refused)
  await assert.rejects(serveHttp(empty, misspelt), refused)
  assert.throws(() => toFetch(empty, misspelt), refused)
  assert.throws(() => toNode(empty, misspelt), refused)
  const wrong = { name: 'x', version: '1', limits: { rounds: 3 } } as Parameters<typeof server>[0]
  assert.throws(() => server(wrong), { code: 'Misuse', message: 'Cannot set "limits.rounds": no such limit here' })
})

test('a limit of another transport is taken and changes nothing', async () => {
  await using client = await connect(empty, { limits: { maxStderrChars: 1, maxRequestsInFlight: 1 } })
  assert.equal(client.server?.name, 'empty')
})
