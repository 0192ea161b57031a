import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answerEnd, answers, bodyText } from './http-answer.ts'

const sized = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello')
const chunked = Buffer.from('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n')

test('answerEnd: finds the end of a sized answer, and no end in any part of it', () => {
  assert.equal(answerEnd(sized), sized.length)
  for (let length = 0; length < sized.length; length += 1) assert.equal(answerEnd(sized.subarray(0, length)), undefined)
})

test('answerEnd: finds the end of a chunked answer, and no end in any part of it', () => {
  assert.equal(answerEnd(chunked), chunked.length)
  for (let length = 0; length < chunked.length; length += 1)
    assert.equal(answerEnd(chunked.subarray(0, length)), undefined)
})

test('answerEnd: does not mistake a body that looks like a last chunk', () => {
  const tricky = Buffer.from('HTTP/1.1 200 OK\r\n\r\n7\r\n0\r\n\r\nab\r\n')
  assert.equal(answerEnd(tricky), undefined)
  const whole = Buffer.concat([tricky, Buffer.from('0\r\n\r\n')])
  assert.equal(answerEnd(whole), whole.length)
})

test('answerEnd: leaves bytes after the answer to the next one', () => {
  assert.equal(answerEnd(Buffer.concat([sized, sized])), sized.length)
})

test('bodyText: joins chunks', () => {
  assert.equal(bodyText(chunked), 'hello')
  assert.equal(bodyText(sized), 'hello')
})

test('answers: wants a success that contains every part, even across chunks', () => {
  assert.ok(answers(sized, ['hello', 'ell']))
  assert.ok(answers(chunked, ['hello']))
  assert.ok(!answers(sized, ['hello', 'goodbye']))
  assert.ok(!answers(Buffer.from('HTTP/1.1 500 No\r\nContent-Length: 5\r\n\r\nhello'), ['hello']))
})
