/** Callers without credentials: every route that a server has, by every verb, in every revision, on every face. */
import assert from 'node:assert/strict'
import { METHODS } from 'node:http'
import { test } from 'node:test'
import type { HttpOptions } from '@trunkline/mcp/http'
import { serveHttp, toNode } from '@trunkline/mcp/node'
import { revisions } from '@trunkline/mcp/testing'
import express from 'express'
import { listening as listeningWith } from '../faces/faces.ts'
import { closedAuthenticator } from './authenticators.ts'
import { counting } from './counting.ts'
import { type Face, faceAt, faces, type Sent } from './faces.ts'
import { jsonHeaders, listen, opening, sessionCall, standalone, stateless, toolCall } from './messages.ts'

/** Every route of a server that serves all it can, with the methods that need no credentials. */
const routes: Readonly<Record<string, readonly string[]>> = {
  '/mcp': [],
  '/sse': [],
  '/messages': [],
  '/healthz': ['GET'],
  '/readyz': ['GET'],
  '/.well-known/oauth-protected-resource/mcp': ['GET'],
}
const everything: HttpOptions = { sse: true, cors: {}, auth: closedAuthenticator }

/** All that a caller of a revision may try, from the first word on. */
const attempts = (revision: string) =>
  revision === stateless
    ? [toolCall('count'), listen(), standalone('server/discover')]
    : [opening(revision), sessionCall({ 'mcp-session-id': 'guessed', 'mcp-protocol-version': revision }, 'count')]

const verbs = METHODS.filter((verb) => verb !== 'CONNECT')
/** Methods that browsers and the runtimes that follow them do not send at all. */
const unsendable = new Set(['TRACE'])

function requests(): Sent[] {
  const posts = revisions.flatMap(attempts)
  const bare = verbs.map((method) => ({ method, headers: { ...jsonHeaders, 'mcp-session-id': 'guessed' } }))
  return Object.keys(routes).flatMap((path) => [...posts, ...bare].map((sent) => ({ ...sent, path })))
}

const allFaces: typeof faces & { readonly express: typeof faces.own } = {
  ...faces,
  async express(definition, options = {}) {
    const place = await listeningWith(express().use(toNode(definition, options)))
    return { ...faceAt(place.url), [Symbol.asyncDispose]: () => place[Symbol.asyncDispose]() }
  },
}

test('serveHttp: the routes of a protected server are those that are tried here', async () => {
  await using all = await serveHttp(counting().definition, { ...everything, websocket: true })
  assert.deepEqual([...all.paths].sort(), Object.keys(routes).sort())
})

for (const [name, open] of Object.entries(allFaces)) {
  test(`${name} face: without credentials no request gets past the gate, on any route`, async () => {
    const counted = counting()
    await using face: Face = await open(counted.definition, everything)
    for (const sent of requests()) {
      const { method = 'POST', path = '' } = sent
      if (name === 'fetch' && unsendable.has(method)) continue
      const { status, headers, text } = await face.send(sent)
      const isPublic = name === 'own' ? routes[path]?.includes(method) : /well-known/.test(path) && method === 'GET'
      const what = `${method} ${path} ${sent.body ?? ''}`
      if (isPublic) assert.deepEqual([status, text], [200, /^\/(health|ready)z$/.test(path) ? 'ok\n' : '{}'], what)
      else assert.ok([401, 404, 405].includes(status), `${what} is answered by ${status}`)
      if (status === 401) assert.equal(headers.get('www-authenticate'), 'Bearer', what)
    }
    assert.equal(counted.reached, 0)
    assert.deepEqual(counted.definition.live, { connections: 0, watchers: 0 })
  })
}
