/** The ways in which a server is put on HTTP, each in as many lines as its users need. */
import { createServer, type Server as HttpServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Server, ServerTypes } from '@trunkline/mcp'
import { type HttpOptions, toFetch } from '@trunkline/mcp/http'
import { toNode } from '@trunkline/mcp/node'
import express from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'
import type { Place } from '../runtimes/checks.ts'
import { options as small } from '../runtimes/definition.ts'

/** Serves a definition, and tells the way to it. */
export type Face = (definition: Server<ServerTypes>, options: HttpOptions) => Promise<Place & AsyncDisposable>

/** Every face by name. */
export const faces: { readonly [name: string]: Face } = {
  'node:http': (definition, options) => listening(toNode(definition, options)),

  Express: (definition, options) => listening(quiet().all('/mcp', toNode(definition, options))),

  'Express with express.json()': (definition, options) =>
    listening(
      quiet()
        .use(express.json({ limit: small.limits.maxMessageBytes }))
        .all('/mcp', toNode(definition, options)),
    ),

  'Express with express.raw()': (definition, options) =>
    listening(
      quiet()
        .use(express.raw({ type: '*/*', limit: '1mb' }))
        .all('/mcp', toNode(definition, options)),
    ),

  async Fastify(definition, options) {
    const app = fastify()
    const listener = toNode(definition, options)
    app.all('/mcp', {
      // before Fastify reads the body
      onRequest: async (request, reply) => listener(request.raw, reply.hijack().raw),
      handler: () => {},
    })
    await app.listen({ port: 0, host: '127.0.0.1' })
    return served(app.server, () => app.close())
  },

  async Hono(definition, options) {
    const app = new Hono()
    const handler = toFetch(definition, options)
    app.all('/mcp', (context) => handler(context.req.raw))
    return inProcess((request) => app.request(request))
  },

  'a fetch handler': async (definition, options) => inProcess(toFetch(definition, options)),
}

// Express prints what it refuses, unless it is being tested
function quiet(): express.Express {
  return express().set('env', 'test')
}

/** Serves a listener on a port of its own. */
export async function listening(listener: RequestListener): Promise<Place & AsyncDisposable> {
  const http = createServer(listener)
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  return served(http, () => new Promise((resolve) => http.close(resolve)))
}

function served(http: HttpServer, close: () => Promise<unknown>): Place & AsyncDisposable {
  const { port } = http.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async [Symbol.asyncDispose]() {
      http.closeAllConnections()
      await close()
    },
  }
}

function inProcess(handle: (request: Request) => Response | Promise<Response>): Place & AsyncDisposable {
  const fetch = async (url: string, init: RequestInit): Promise<Response> => handle(new Request(url, init))
  return { url: 'http://localhost/mcp', fetch, async [Symbol.asyncDispose]() {} }
}
