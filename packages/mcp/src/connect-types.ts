/** The types of connecting to a server. */
export type { NetworkOptions } from './network/network-options.ts'
export type { AuthHeaders, Authorizer, Refusal } from './rpc/authorizer.ts'
export type { DialHttpOptions } from './transports/http/client/dial-http.ts'
export type {
  Clock,
  Fetch,
  HeaderRecord,
  HttpChannelOptions,
  HttpRequestInit,
  ReconnectLimits,
} from './transports/http/client/http-channel-options.ts'
export type { HttpClientLimits, WebSocketLimits } from './transports/http/client/http-client-limits.ts'
export type { BodyReader, HttpResponse, ResponseHeaders } from './transports/http/client/http-response.ts'
export type { WebSocketAuthorizationOptions } from './transports/http/client/websocket-authorization.ts'
export type { WebSocketChannelOptions } from './transports/http/client/websocket-channel.ts'
export type { SpawnTarget } from './transports/stdio/spawn-target.ts'
export type { SpawnLimits, StdioLimits } from './transports/stdio/stdio-limits.ts'
export type { JsonLimits } from './wire/json.ts'
export type { ReadLimits } from './wire/read-messages.ts'
