/** The other side of the local API, for the command and for tests; it loads nothing of the host. */
import { projectHeader } from '../gateway/bridge/line-protocol.ts'
import { type ApiRequest, requestOf } from './api-request.ts'
import type { HostEvent } from './events.ts'
import type { RouteAnswer, RouteInput, RouteName } from './routes.ts'
import type { WantedProof } from './wanted-proof.ts'

// not imported: that would load the WebSocket client of Node too, at every start
const { request } = process.getBuiltinModule('node:http')

/** Address of a host, and the secret of its API. */
export interface ApiTarget {
  /** Such as `http://127.0.0.1:4173`. */
  readonly url: string
  readonly token: string
  /** Working directory of the client. @default none */
  readonly project?: string
}

/** An error response; the message says what to do. */
export class ApiRefusal extends Error {
  override readonly name = 'ApiRefusal'
  readonly status: number
  /** Required proof, if the request was refused for lack of one. */
  readonly proof: WantedProof | undefined

  constructor(status: number, message: string, proof?: WantedProof) {
    super(message)
    this.status = status
    this.proof = proof
  }
}

/** The API of a running host. */
export interface ApiClient {
  call<Name extends RouteName>(name: Name, input?: RouteInput<Name>): Promise<RouteAnswer<Name>>
  /** Events of the host, until the signal aborts or the host ends. */
  events(signal?: AbortSignal, onOpen?: () => void): AsyncGenerator<HostEvent>
}

/** Opens the API of a running host. */
export function apiClient(target: ApiTarget): ApiClient {
  return {
    async call(name, input) {
      const answer = await send(target, requestOf(name, input))
      const value = JSON.parse(await textOf(answer))
      const status = answer.statusCode ?? 0
      if (status >= 300) throw new ApiRefusal(status, String(value.error), value.proof)
      return value
    },
    async *events(signal, onOpen) {
      const answer = await send(target, { method: 'GET', path: '/api/events', body: undefined, signal })
      if (answer.statusCode !== 200) {
        throw new ApiRefusal(answer.statusCode ?? 0, JSON.parse(await textOf(answer)).error)
      }
      onOpen?.()
      yield* eventsIn(answer)
    },
  }
}

interface Sent extends ApiRequest {
  readonly signal?: AbortSignal | undefined
}

function send({ url, token, project }: ApiTarget, { method, path, body, signal }: Sent) {
  return new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    const text = body && JSON.stringify(body)
    const headers = {
      authorization: `Bearer ${token}`,
      ...(project !== undefined && projectHeader(project)),
      ...(text !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
    }
    const sent = request(new URL(path, url), { method, headers, ...(signal && { signal }) }, resolve)
    sent.once('error', reject)
    sent.end(text)
  })
}

async function textOf(answer: AsyncIterable<Buffer>): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of answer) pieces.push(piece)
  return Buffer.concat(pieces).toString('utf8')
}

async function* eventsIn(answer: import('node:http').IncomingMessage): AsyncGenerator<HostEvent> {
  let text = ''
  answer.setEncoding('utf8')
  for await (const piece of answer) {
    text += piece
    const events = text.split('\n\n')
    text = events.pop() ?? ''
    for (const event of events) if (event.startsWith('data: ')) yield JSON.parse(event.slice('data: '.length))
  }
}
