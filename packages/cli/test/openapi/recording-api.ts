import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request as it came, with its bytes. */
export interface RecordedRequest {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
  /** Resolves when the connection ended before the answer. */
  readonly abandoned: Promise<void>
}

/** An HTTP API on loopback that keeps what it is sent; `/api/v1/hang` never answers, `/api/v1/bytes` answers bytes. */
export async function recordingApi() {
  const seen: RecordedRequest[] = []
  const waiting: (() => void)[] = []
  const server = createServer(async (request, response) => {
    const abandoned = new Promise<void>((resolve) => response.once('close', resolve))
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece)
    const body = Buffer.concat(pieces)
    const { method = '', url = '', headers } = request
    seen.push({ method, url, headers, body, abandoned })
    for (const resolve of waiting.splice(0)) resolve()
    if (url.startsWith('/api/v1/hang')) return
    if (url.startsWith('/api/v1/bytes')) {
      response.writeHead(200, { 'content-type': 'application/x-tar' })
      response.end(allBytes)
      return
    }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ url }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`,
    seen,
    /** Resolves when the next request came. */
    next: () => new Promise<void>((resolve) => waiting.push(resolve)),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Every byte there is. */
export const allBytes = Buffer.from(Array.from({ length: 256 }, (_, at) => at))

const any = { responses: { default: { description: 'any' } } }
const bodyOf = (mediaType: string, schema: object) => ({
  ...any,
  requestBody: { required: true, content: { [mediaType]: { schema } } },
})
const textOnly = { type: 'object', properties: { name: { type: 'string' }, tag: { type: 'array' } } }
const withFile = { type: 'object', properties: { ...textOnly.properties, photo: { type: 'string', format: 'binary' } } }

/** A description of that API: every kind of body, every place of a credential, and parts of paths. */
export function recordedDescription(base: string): string {
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Recorded', version: '1' },
    servers: [{ url: base }, { url: 'http://evil.example' }],
    paths: {
      '/pets/{id}': {
        get: {
          operationId: 'getPet',
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
          ...any,
        },
      },
      '/form': { post: { operationId: 'form', ...bodyOf('application/x-www-form-urlencoded', textOnly) } },
      '/parts': { post: { operationId: 'parts', ...bodyOf('multipart/form-data', withFile) } },
      '/text': { put: { operationId: 'text', ...bodyOf('text/plain', { type: 'string' }) } },
      '/upload': { put: { operationId: 'upload', ...bodyOf('application/octet-stream', { type: 'string' }) } },
      '/bytes': { get: { operationId: 'bytes', ...any } },
      '/hang': { post: { operationId: 'hang', ...any } },
      ...Object.fromEntries(
        ['bearer', 'basic', 'query', 'cookie'].map((scheme) => [
          `/as/${scheme}`,
          { get: { operationId: `as-${scheme}`, security: [{ [scheme]: [] }], ...any } },
        ]),
      ),
    },
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        basic: { type: 'http', scheme: 'basic' },
        query: { type: 'apiKey', in: 'query', name: 'key' },
        cookie: { type: 'apiKey', in: 'cookie', name: 'session' },
      },
    },
  })
}
