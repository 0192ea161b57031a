/** The other side of the local API, for the command and for tests; it loads nothing of the host. */
import { request } from 'node:http'
import type { HostEvent } from './events.ts'
import type { RouteAnswer, RouteInput, RouteName } from './routes.ts'

/** What the client needs to know of each route. */
type Addresses = { readonly [Name in RouteName]: string }

/** Method and address of every route; a test holds them against the table that the server is typed by. */
export const addresses: Addresses = {
  status: 'GET /api/status',
  servers: 'GET /api/servers',
  log: 'GET /api/servers/{server}/log',
  acceptServer: 'POST /api/servers/{server}/accept',
  restart: 'POST /api/servers/{server}/restart',
  stop: 'POST /api/servers/{server}/stop',
  login: 'POST /api/servers/{server}/login',
  logout: 'DELETE /api/servers/{server}/login',
  trust: 'POST /api/servers/{server}/trust',
  catalogue: 'GET /api/catalogue',
  changeEntry: 'PATCH /api/catalogue/{server}/{tool}',
  diff: 'GET /api/diff',
  lock: 'POST /api/lock',
  verifyLock: 'GET /api/lock/verify',
  outdated: 'GET /api/outdated',
  planUpdate: 'POST /api/servers/{server}/update/plan',
  update: 'POST /api/servers/{server}/update',
  inbox: 'GET /api/inbox',
  answer: 'POST /api/inbox/{id}',
  ledger: 'GET /api/ledger',
  verify: 'GET /api/ledger/verify',
  exportLedger: 'GET /api/ledger/export',
  act: 'GET /api/acts/{act}',
  forget: 'POST /api/forget',
  policy: 'GET /api/policy',
  explainPolicy: 'POST /api/policy/explain',
  dryRunPolicy: 'POST /api/policy/dry-run',
  suggestRules: 'GET /api/policy/suggestions',
  addRule: 'POST /api/policy/rules',
  undoRule: 'POST /api/policy/undo',
  explainConfig: 'GET /api/config/explain',
  acceptFile: 'POST /api/config/accept',
  clients: 'GET /api/clients',
  addClient: 'POST /api/clients',
  revoke: 'DELETE /api/clients/{name}',
  code: 'POST /api/codes',
  session: 'POST /api/session',
  down: 'POST /api/down',
}

/** Where a host is, and the secret that opens its API. */
export interface ApiTarget {
  /** Such as `http://127.0.0.1:4173`. */
  readonly url: string
  readonly token: string
}

/** An error response; the message says what to do. */
export class ApiRefusal extends Error {
  override readonly name = 'ApiRefusal'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** The API of a running host. */
export interface ApiClient {
  call<Name extends RouteName>(name: Name, input?: RouteInput<Name>): Promise<RouteAnswer<Name>>
  /** What happens in the host, until the signal aborts or the host ends. */
  events(signal?: AbortSignal): AsyncGenerator<HostEvent>
}

/** Opens the API of a running host. */
export function apiClient(target: ApiTarget): ApiClient {
  return {
    async call(name, input) {
      const [method = 'GET', path = ''] = addresses[name].split(' ')
      const { address, rest } = filled(path, (input ?? {}) as Record<string, unknown>)
      const query = method === 'GET' ? queryOf(rest) : ''
      const answer = await send(target, { method, path: address + query, body: method === 'GET' ? undefined : rest })
      const value = JSON.parse(await textOf(answer))
      const status = answer.statusCode ?? 0
      if (status >= 300) throw new ApiRefusal(status, String(value.error))
      return value
    },
    async *events(signal) {
      const answer = await send(target, { method: 'GET', path: '/api/events', body: undefined, signal })
      if (answer.statusCode !== 200) {
        throw new ApiRefusal(answer.statusCode ?? 0, JSON.parse(await textOf(answer)).error)
      }
      yield* eventsIn(answer)
    },
  }
}

interface Sent {
  readonly method: string
  readonly path: string
  readonly body: object | undefined
  readonly signal?: AbortSignal | undefined
}

function send({ url, token }: ApiTarget, { method, path, body, signal }: Sent) {
  return new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    const text = body && JSON.stringify(body)
    const headers = {
      authorization: `Bearer ${token}`,
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

function filled(path: string, input: Record<string, unknown>): { address: string; rest: Record<string, unknown> } {
  const rest = { ...input }
  const address = path.replace(/\{(.+?)\}/g, (_, name: string) => {
    const { [name]: value } = rest
    delete rest[name]
    return encodeURIComponent(String(value))
  })
  return { address, rest }
}

function queryOf(rest: Record<string, unknown>): string {
  const given = Object.entries(rest).filter(([, value]) => value !== undefined)
  if (given.length === 0) return ''
  return `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}
