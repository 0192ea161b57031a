/** Defining servers; nothing here starts one. */
export type {
  Asking,
  Caller,
  ClientInput,
  InputRequired,
  ListenExtension,
  ServerHandler,
  ServerRequest,
} from './dialects/dialect.ts'
export type { ExtensionMethod, ExtensionWords } from './model/extension.ts'
export type * from './model/input.ts'
export type * from './model/types.ts'
export type { Channel, Receiver, Sender } from './rpc/channel.ts'
export type { Interceptor } from './rpc/interceptor.ts'
export type { AnySchema } from './schema/adapter.ts'
export { audio, embed, image, link, text } from './server/content.ts'
export type { Context, ReadContext } from './server/context.ts'
export type { ServerConnection } from './server/conversation.ts'
export type * from './server/definitions.ts'
export type { AskOptions } from './server/elicitation.ts'
export type { ServerAdds, ServerExtension, ServerHost, ServerPart, ToolAddition } from './server/extension.ts'
export type { ServerLimits } from './server/limits.ts'
export { Reply, type ReplyOptions, reply } from './server/reply.ts'
export { type Server, server } from './server/server.ts'
export type { ServerOptions } from './server/server-options.ts'
export type { NoOffers, Offers } from './server/server-types.ts'
export * from './wire/errors.ts'
