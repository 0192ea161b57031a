import {
  type Client,
  type ConnectOptions,
  connect,
  type NoOffers,
  type RunningServer,
  type ServeOptions,
  type Server,
  serve,
  server,
  type ToolOffer,
  type TypesOf,
} from '@trunkline/mcp'
import { type FetchHandler, type HttpOptions, toFetch } from '@trunkline/mcp/http'
import { type NodeListener, serveHttp, toNode } from '@trunkline/mcp/node'

interface Weather {
  readonly type: 'object'
  readonly properties: { readonly city: { readonly type: 'string' } }
}

const schema: Weather = { type: 'object', properties: { city: { type: 'string' } } }

/** Types that `isolatedDeclarations` makes users write down can be imported by name. */
export const weather: Server<NoOffers & ToolOffer<'forecast', Weather, undefined>> = server({
  name: 'weather',
  version: '1.0.0',
}).tool('forecast', { input: schema }, ({ city }) => city ?? 'nowhere')

export const serving: ServeOptions = { sessions: { idleMs: 1_000 }, limits: { maxSessions: 10 } }
export const connecting: ConnectOptions = { limits: { maxMessageBytes: 1_000 } }
export const web: HttpOptions = { keepAliveMs: 1_000 }
export const handler: FetchHandler = toFetch(weather, web)
export const listener: NodeListener = toNode(weather, web)

export async function start(): Promise<RunningServer> {
  return (await serve(weather, { ...serving, http: 0 })) ?? (await serveHttp(weather))
}

export async function call(): Promise<Client<TypesOf<typeof weather>>> {
  return connect<typeof weather>(weather, connecting)
}
