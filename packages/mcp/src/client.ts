/** A client over a channel of your own. */
export type * from './channel-types.ts'
export type * from './client/client.ts'
// named as well, so that the API reference lists it as a type
export type { Client } from './client/client.ts'
export type { ClientLimits } from './client/client-limits.ts'
export type { ClientOptions, Elicitor, Sampler, UrlElicitor } from './client/client-options.ts'
export type { ClientHandler, ClientRequest, RequestOptions } from './client/client-request.ts'
export type { Dial } from './client/dial.ts'
export type {
  Added,
  ClientAdds,
  ClientAddsOf,
  ClientExtension,
  ClientHost,
  ClientPart,
  ClientStart,
  ConnectedPart,
  ExtensionListener,
  NoClientAdds,
} from './client/extension.ts'
export { type Connection, open } from './client/open.ts'
export type { Pages } from './client/pagination.ts'
export { type DialUrlOptions, dialUrl } from './dial-url.ts'
export type { AnswerInput, DuringCall } from './dialects/dialect.ts'
export type * from './extension-types.ts'
export type * from './model/input.ts'
export type { PromptTypes, ServerTypes, ToolTypes } from './model/server-types.ts'
export type * from './model/types.ts'
export { type ChannelTap, tapChannel } from './rpc/tap-channel.ts'
export type * from './schema-types.ts'
export * from './wire/errors.ts'
