/** Talking to servers over a channel of your own. */

export type { Client, CompletionTarget, ServerTypes } from './client/client.ts'
export type {
  ClientAdds,
  ClientExtension,
  ClientHost,
  ClientPart,
  ConnectedPart,
  ExtensionListener,
} from './client/extension.ts'
export type { Dial } from './client/negotiate.ts'
export { type Connection, open } from './client/open.ts'
export type {
  ClientHandler,
  ClientLimits,
  ClientOptions,
  ClientRequest,
  Elicitor,
  RequestOptions,
  Sampler,
  UrlElicitor,
} from './client/options.ts'
export type { Pages } from './client/pagination.ts'
export type { TypedResult } from './client/tools.ts'
export type { Watching } from './client/watches.ts'
export type { AnswerInput } from './dialects/dialect.ts'
export type { ExtensionMethod, ExtensionWords } from './model/extension.ts'
export type * from './model/input.ts'
export type * from './model/types.ts'
export type { Channel, Receiver, Sender } from './rpc/channel.ts'
export type { Interceptor } from './rpc/interceptor.ts'
export type { Progress } from './rpc/pending.ts'
export * from './wire/errors.ts'
