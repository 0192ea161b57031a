/** Several processes of one server behind a balancer that sends every request to another process than the last one. */
import { type ConnectOptions, connect, type Server } from '@trunkline/mcp'
import { type ClusterOptions, type ClusterStores, type FetchHandler, memoryCluster, toFetch } from '@trunkline/mcp/http'
import { Mailbox } from '../mailbox.ts'

export interface ProcessesOptions extends Partial<ClusterOptions> {
  readonly count?: number
  readonly idleMs?: number
  readonly drainMs?: number
  /** The stores as one process sees them. @default the same for all */
  readonly view?: (at: number, stores: ClusterStores) => ClusterStores
}

/** Starts processes; each is made by its number, and gets stores that it shares with the others. */
export async function processes<Made extends Server>(
  make: (at: number) => Made,
  { count = 3, stores = memoryCluster(), idleMs = 1_800_000, drainMs = 1, view, ...times }: ProcessesOptions = {},
) {
  const servers = Array.from({ length: count }, (_, at) => make(at))
  const handlers = servers.map((each, at) =>
    toFetch(each, { cluster: { stores: view?.(at, stores) ?? stores, ...times }, sessions: { idleMs }, drainMs }),
  )
  return {
    stores: stores as ClusterStores,
    servers,
    handlers,
    /** The handler of a process. */
    at: (number: number): FetchHandler => handlers[number] ?? handlers[0] ?? fail(),
    /** A client whose requests go to another process each. */
    connect(options: ConnectOptions = {}) {
      let next = 0
      const fetch = (url: string, init: RequestInit): Promise<Response> =>
        (handlers[next++ % count] ?? fail())(new Request(url, init))
      return connect('http://localhost/mcp', { ...options, http: { fetch } })
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(handlers.map((handler) => handler.close()))
      await Promise.all(servers.map((each) => each.close()))
    },
  }
}

/** An event of a stream: its id, and its message. */
export interface Event {
  readonly id: string
  // biome-ignore lint/suspicious/noExplicitAny: a message is whatever a test expects it to be
  readonly message: any
}

/** Events of a response as they come; ends with `end`. */
export function eventsOf(response: Response): Mailbox<Event | 'end'> {
  const events = new Mailbox<Event | 'end'>()
  const read = async (): Promise<void> => {
    let text = ''
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk
      const parts = text.split('\n\n')
      text = parts.pop() ?? ''
      for (const part of parts) {
        const [id, data] = [/^id: ?(.*)$/m.exec(part)?.[1] ?? '', /^data: ?(.*)$/m.exec(part)?.[1] ?? '']
        if (data !== '') events.put({ id, message: JSON.parse(data) })
      }
    }
  }
  void read()
    .catch(() => {})
    .then(() => events.put('end'))
  return events
}

/** Posts a message, and reads the answer as it comes; the signal ends the connection. */
export function stream(
  handler: FetchHandler,
  message: object,
  headers: Record<string, string>,
  signal?: AbortSignal,
): Promise<Response> {
  const own = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers }
  const init = { method: 'POST', headers: own, body: JSON.stringify(message), ...(signal && { signal }) }
  return handler(new Request('http://localhost/mcp', init))
}

function fail(): never {
  throw new Error('There is no such process')
}
