/** Names that every object has: to a server they are names like others, wherever they stand. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidParams, MethodNotFound } from '@trunkline/mcp'
import { counting } from './counting.ts'
import { faces, messageOf, openSession, saidIn } from './faces.ts'
import { handshakes, sessionCall, standalone, toolCall, within } from './messages.ts'

const names = Object.getOwnPropertyNames(Object.prototype).concat('prototype', 'length', 'name', 'caller', 'then')
const untouched = Object.getOwnPropertyNames(Object.prototype).join()

for (const [name, open] of Object.entries(faces)) {
  test(`${name} face: an inherited member is no tool, method, session, event or header`, async () => {
    const counted = counting()
    await using face = await open(counted.definition)
    const session = await openSession(face)
    for (const word of names) {
      const tool = await face.send(toolCall(word))
      assert.deepEqual([tool.status, messageOf(tool).error.code], [200, InvalidParams], word)
      const inSession = await face.send(sessionCall(session, word))
      assert.equal(messageOf(inSession).error.code, InvalidParams, word)
      for (const kind of ['resources/read', 'prompts/get']) {
        const read = await face.send(standalone(kind, kind === 'resources/read' ? { uri: word } : { name: word }))
        assert.ok(messageOf(read).error, word)
      }
      const method = await face.send(standalone(word))
      assert.deepEqual([method.status, messageOf(method).error.code], [404, MethodNotFound], word)
      assert.equal((await face.send(sessionCall({ 'mcp-session-id': word }, 'count'))).status, 404, word)
      const { headers, body } = toolCall('echo', { [word]: 'mine' })
      const named = await face.send({ headers: { ...headers, [word]: 'x', [`mcp-param-${word}`]: 'x' }, body })
      assert.equal(saidIn(named), `{"${word}":"mine"}`)
      const resumed = {
        method: 'GET',
        headers: { ...session, accept: 'text/event-stream', 'last-event-id': `${word}.1` },
      }
      assert.equal((await face.send(resumed)).status, 400, word)
      const revision = { 'mcp-protocol-version': word }
      assert.equal((await face.send({ ...toolCall('count'), headers: { ...headers, ...revision } })).status, 400, word)
    }
    assert.equal(Object.getOwnPropertyNames(Object.prototype).join(), untouched)
  })

  test(`${name} face: arguments named like parts of every object arrive as they were sent, in every revision`, async () => {
    await using face = await open(counting().definition)
    const args = '{"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}},"toString":1}'
    const replaced = (body: string): string => body.replace('"HERE"', args)
    const alone = toolCall('echo', { given: 'HERE' })
    assert.equal(saidIn(await face.send({ ...alone, body: replaced(alone.body) })), `{"given":${args}}`)
    for (const revision of handshakes) {
      const session = await openSession(face, { revision })
      const letter = within(session, {
        id: 1,
        method: 'tools/call',
        params: { name: 'echo', arguments: { given: 'HERE' } },
      })
      assert.equal(saidIn(await face.send({ ...letter, body: replaced(letter.body) })), `{"given":${args}}`)
    }
    assert.equal('admin' in {}, false)
  })
}
