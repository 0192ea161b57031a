/** The corpus on which JSON parsers disagree, through every face, as a whole message and inside one. */
import assert from 'node:assert/strict'
import { isUtf8 } from 'node:buffer'
import { test } from 'node:test'
import { InvalidRequest, ParseError } from '@trunkline/mcp'
import { jsonDocuments } from '../corpora.ts'
import { counting } from './counting.ts'
import { faces, messageOf, saidIn } from './faces.ts'
import { toolCall } from './messages.ts'

const documents = jsonDocuments()

const { headers, body } = toolCall('echo', { it: 'HERE' })
const [before, behind] = body.split('"HERE"').map((part) => Buffer.from(part)) as [Buffer, Buffer]

/** Value that `JSON.parse` makes of a text that says nothing twice and is not too deep; undefined when it refuses. */
function readPlainly(name: string, bytes: Buffer): unknown {
  if (!isUtf8(bytes) || name.startsWith('y_object_duplicated_key') || opened(bytes) > 64) return undefined
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return undefined
  }
}

/** Number of arrays and objects, which is more than there are inside each other. */
function opened(bytes: Buffer): number {
  return bytes.toString().match(/[[{]/g)?.length ?? 0
}

for (const [name, open] of Object.entries(faces)) {
  test(`${name} face: agrees with JSON.parse on every document of the corpus, or refuses it`, async () => {
    assert.ok(documents.size > 300)
    const counted = counting()
    await using face = await open(counted.definition)
    for (const [document, bytes] of documents) {
      const alone = await face.send({ headers, body: bytes })
      const expected = readPlainly(document, bytes) === undefined ? ParseError : InvalidRequest
      assert.deepEqual([alone.status, messageOf(alone).error.code], [400, expected], document)
      const whole = Buffer.concat([before, bytes, behind])
      const inside = await face.send({ headers, body: whole })
      const plain = readPlainly(document, whole) as { params: { arguments: object } } | undefined
      assert.equal(inside.status, plain ? 200 : 400, document)
      if (plain) assert.equal(saidIn(inside), JSON.stringify(plain.params.arguments), document)
      else assert.equal(messageOf(inside).error.code, ParseError, document)
    }
    assert.equal(Object.keys(Object.prototype).length, 0)
  })
}
