import assert from 'node:assert/strict'
import type { Readable } from 'node:stream'
import { test } from 'node:test'
import { connect, server } from '@trunkline/mcp'
import { toFetch } from '@trunkline/mcp/http'
import { toNode } from '@trunkline/mcp/node'
import express from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'
import { Mailbox } from '../mailbox.ts'
import { listening } from './faces.ts'

const message = { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} }
const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
const posted = { method: 'POST', headers, body: JSON.stringify(message) }

function reporting() {
  const errors = new Mailbox<string>()
  const onError = (error: unknown): void => errors.put(String(error))
  return { app: server({ name: 'reporting', version: '1', onError }), errors }
}

test('toNode: a parsed body is taken as it is, and never made into text again', async () => {
  const { app } = reporting()
  const taken = (request: { body?: unknown }, _response: unknown, next: () => void): void => {
    request.body = Object.defineProperty({ ...message }, 'toJSON', { value: () => assert.fail('made into text') })
    next()
  }
  await using place = await listening(express().use(express.json(), taken).all('/mcp', toNode(app)))
  const { error } = (await (await fetch(place.url, posted)).json()) as { error: { message: string } }
  assert.match(error.message, /Cannot serve "initialize": params\.protocolVersion/)
})

test('toNode: a body that a middleware read and did not pass on is an error of the author, answered at once', async () => {
  const { app, errors } = reporting()
  const swallow = (request: Readable, _response: unknown, next: () => void): void => {
    request.on('end', next).resume()
  }
  await using place = await listening(express().use(swallow).all('/mcp', toNode(app)))
  assert.equal((await fetch(place.url, posted)).status, 500)
  assert.match(await errors.take(), /Cannot read the body: a middleware has read it and did not pass the result on/)
})

test('toNode: a Fastify handler that runs after the parser is answered at once with an error that says so', async () => {
  const { app, errors } = reporting()
  const [late, listener] = [fastify(), toNode(app)]
  late.post('/mcp', (request, reply) => listener(request.raw, reply.hijack().raw))
  const url = await late.listen({ port: 0, host: '127.0.0.1' })
  assert.equal((await fetch(`${url}/mcp`, posted)).status, 500)
  assert.match(await errors.take(), /Cannot read the body/)
  await late.close()
})

test('toNode: a body that Fastify has parsed can be handed over', async () => {
  const { app } = reporting()
  const [late, listener] = [fastify(), toNode(app)]
  late.post('/mcp', (request, reply) => listener.handle(request.raw, reply.hijack().raw, { parsed: request.body }))
  const url = await late.listen({ port: 0, host: '127.0.0.1' })
  assert.equal(((await (await fetch(`${url}/mcp`, posted)).json()) as { id: unknown }).id, 1)
  late.server.closeAllConnections()
  await late.close()
})

test('toFetch: ignores further arguments of a runtime', async () => {
  const handler: (...args: readonly [Request, object]) => Promise<Response> = toFetch(reporting().app)
  const response = await handler(new Request('http://localhost/mcp', posted), { principal: 'ada', parsed: {} })
  assert.equal(((await response.json()) as { id: unknown }).id, 1)
})

test('toFetch: a body that was read before is an error of the author', async () => {
  const { app, errors } = reporting()
  const [hono, handler] = [new Hono(), toFetch(app)]
  hono.post('/mcp', async (context) => {
    await context.req.json()
    return handler(context.req.raw)
  })
  assert.equal((await hono.request('http://localhost/mcp', posted)).status, 500)
  assert.match(await errors.take(), /Cannot read the body/)
})

test('toFetch: a body that was read and parsed before can be handed over', async () => {
  const { app } = reporting()
  const [hono, handler] = [new Hono(), toFetch(app)]
  hono.post('/mcp', async (context) => handler.handle(context.req.raw, { parsed: await context.req.json() }))
  const response = await hono.request('http://localhost/mcp', posted)
  assert.equal(((await response.json()) as { id: unknown }).id, 1)
})

test('toNode: the oldest transport works behind a parser as well', async () => {
  const app = server({ name: 'old', version: '1' }).tool('echo', {}, ({ text }) => String(text))
  const parsed = express().use(express.json())
  await using place = await listening(parsed.all(['/sse', '/messages'], toNode(app, { sse: true })))
  await using mcp = await connect(new URL('/sse', place.url), { revisions: ['2024-11-05'] })
  const { content } = await mcp.tools.call('echo', { text: 'hi' })
  assert.deepEqual(content, [{ type: 'text', text: 'hi' }])
})
