import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Request that an API received. */
export interface SeenRequest {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** A real HTTP API on loopback; what it is sent, it keeps. */
export async function petsApi() {
  const seen: SeenRequest[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { method = '', url = '', headers } = request
    seen.push({ method, url, headers, body })
    const json = (status: number, value: unknown, more: object = {}): void => {
      response.writeHead(status, { 'content-type': 'application/json', ...more })
      response.end(JSON.stringify(value))
    }
    const { pathname } = new URL(url, 'http://x')
    // its servers are named relative to where it is read
    if (pathname === '/openapi.yaml') return response.end(petsDescription(''))
    if (pathname === '/v1/busy') return json(429, { error: 'slow down' }, { 'retry-after': '30' })
    if (pathname === '/v1/down') {
      return json(503, { error: 'down' }, { 'retry-after': new Date(Date.now() + 60_000).toUTCString() })
    }
    if (pathname === '/v1/broken') return json(500, { error: 'oh' })
    if (pathname === '/v1/away') return json(302, {}, { location: 'http://evil.example/steal' })
    if (pathname === '/v1/near') return json(302, {}, { location: '/v1/pets/1' })
    if (pathname === '/v1/lies') return json(200, { name: 42 })
    if (pathname === '/v1/picture') {
      response.writeHead(200, { 'content-type': 'image/png' })
      return response.end(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 255]))
    }
    if (pathname === '/v1/endless') {
      response.writeHead(200, { 'content-type': 'text/plain' })
      const write = (): void => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
        response.once('drain', write)
      }
      return write()
    }
    if (pathname === '/v1/hang') return undefined
    if (/^\/v1\/pets\/./.test(pathname)) {
      const id = decodeURIComponent(pathname.slice('/v1/pets/'.length))
      return id === 'none'
        ? json(404, { error: 'no such pet' })
        : json(200, { id, name: 'Rex', friends: [{ id: '2', name: 'Tom', friends: [] }] })
    }
    if (pathname === '/v1/pets' && method === 'POST') return json(201, { id: '9', ...JSON.parse(body), friends: [] })
    if (pathname === '/v1/pets') return json(200, [])
    return json(200, { echoed: url })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The description of that API, of version 3.0, as YAML. */
export const petsDescription = (url: string): string => `openapi: 3.0.3
info: { title: Pet Store, version: 1.2.3, description: Pets for all }
servers: [{ url: '${url}/{version}', variables: { version: { default: v1, enum: [v1, v2] } } }]
security: [{ key: [] }]
paths:
  /pets:
    get:
      operationId: listPets
      tags: [pets]
      summary: Lists pets
      parameters:
        - { name: limit, in: query, schema: { type: integer, maximum: 100, exclusiveMaximum: true } }
        - { name: tag, in: query, schema: { type: array, items: { type: string } } }
        - { name: ids, in: query, explode: false, schema: { type: array, items: { type: string } } }
        - { name: filter, in: query, style: deepObject, schema: { type: object } }
        - { name: X-Trace, in: header, schema: { type: string } }
      responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Pet' } } } } } }
    post:
      operationId: addPet
      tags: [pets]
      summary: Adds a pet
      requestBody: { $ref: '#/components/requestBodies/NewPet' }
      responses: { '201': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } } }
  /pets/{pet-id}:
    parameters: [{ name: pet-id, in: path, required: true, schema: { type: string } }]
    get:
      operationId: getPet
      tags: [pets]
      summary: Shows a pet
      responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } } }
    delete: { operationId: removePet, tags: [pets], summary: Removes a pet, responses: { '204': { description: gone } } }
${['busy', 'down', 'broken', 'away', 'near', 'picture', 'endless', 'hang'].map((name) => `  /${name}: { get: { operationId: ${name}, security: [], responses: { default: { description: any } } } }`).join('\n')}
  /lies: { get: { operationId: lies, security: [], responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } } } } }
  /secret: { get: { operationId: secret, security: [{ other: [] }], responses: { default: { description: any } } } }
components:
  securitySchemes:
    key: { type: apiKey, in: header, name: X-Api-Key }
    other: { type: http, scheme: bearer }
  requestBodies:
    NewPet: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/NewPet' } } } }
  schemas:
    NewPet: { type: object, required: [name], properties: { name: { type: string }, owner: { type: string, nullable: true } } }
    Pet:
      allOf:
        - $ref: '#/components/schemas/NewPet'
        - type: object
          required: [id]
          properties:
            id: { type: string }
            friends: { type: array, items: { $ref: '#/components/schemas/Pet' } }
`
