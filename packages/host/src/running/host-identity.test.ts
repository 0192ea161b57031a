import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it } from 'node:test'
import { answerIdentity, answersHttp, provesItself } from './host-identity.ts'

/** A program that answers HTTP at a port of this machine. */
async function listening(answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/`
  return { url, [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())) }
}

const hostWith = (...secrets: readonly string[]): RequestListener => {
  return (request, response) => void (answerIdentity(request, response, secrets) || response.writeHead(404).end())
}

describe('a host proves itself', () => {
  it('to programs that know one of its secrets, and to no others', async () => {
    await using host = await listening(hostWith('api', 'lines'))
    for (const token of ['api', 'lines']) assert.equal(await provesItself({ ...host, token }), true, token)
    assert.equal(await provesItself({ ...host, token: 'of another host' }), false)
  })

  it('with an answer that is good for one challenge: a program at its port cannot send it again', async () => {
    await using host = await listening(hostWith('api'))
    const seen = await (await fetch(`${host.url}api/identity?challenge=seen`)).text()
    assert.match(seen, /"proofs":\["[\w-]{43}"\]/)
    await using thief = await listening((_, response) => void response.end(seen))
    assert.equal(await answersHttp(thief.url), true)
    assert.equal(await provesItself({ ...thief, token: 'api' }), false)
  })

  it('only with proofs: other text, an endless answer and no program at all are no host', async () => {
    const answers: readonly RequestListener[] = [
      (_, response) => void response.end('<html>'),
      (_, response) => void response.end('{"proofs":"all"}'),
      (_, response) => void response.write('a'.repeat(100_000)),
    ]
    for (const answer of answers) {
      await using other = await listening(answer)
      assert.equal(await provesItself({ ...other, token: 'api' }), false)
    }
    assert.equal(await provesItself({ url: 'http://127.0.0.1:1/', token: 'api' }), false)
  })

  it('to a challenge of a usual length', async () => {
    await using host = await listening(hostWith('api'))
    for (const challenge of ['', 'a'.repeat(129)]) {
      const response = await fetch(`${host.url}api/identity?challenge=${challenge}`)
      assert.equal(response.status, 400)
      assert.match(await response.text(), /Send \\"challenge\\", of up to 128 characters/)
    }
  })
})
