/** Defining servers; `serve` of the main entry starts them. */
export type * from './channel-types.ts'
export type {
  Asking,
  AskingOptions,
  Caller,
  ClientInput,
  ClientQuestion,
  InputRequired,
  ListenExtension,
  OnceOptions,
  Rounds,
  ServerHandler,
  ServerRequest,
} from './dialects/dialect.ts'
export type { InputLimits } from './dialects/input-limits.ts'
export type * from './extension-types.ts'
export type { FeatureName } from './model/features.ts'
export type * from './model/input.ts'
export type { ServerTypes } from './model/server-types.ts'
export type * from './model/types.ts'
export type * from './schema-types.ts'
export type { CallRate, CallRates } from './server/call-rates.ts'
export type { Servable } from './server/connections.ts'
export { audio, embed, image, link, text } from './server/content.ts'
export type { Context, ReadContext } from './server/context.ts'
export type { ServerConnection } from './server/conversation.ts'
export type { AskOptions } from './server/elicitation.ts'
export type {
  AddsOf,
  ExtensionList,
  ExtensionListOptions,
  NoAdds,
  ServerAdds,
  ServerExtension,
  ServerHost,
  ServerOffers,
  ServerPart,
  ToolAddition,
  ToolCall,
  ToolRun,
} from './server/extension.ts'
export type { FailureOptions } from './server/handler-errors.ts'
export type * from './server/server.ts'
export { type Server, server } from './server/server.ts'
export type { ServerLimits } from './server/server-limits.ts'
export type { ServerOptions, WatchStart } from './server/server-options.ts'
export { Reply, type ReplyOptions, reply } from './server/tool-reply.ts'
export type {
  EffectAttempt,
  EffectName,
  EffectState,
  EffectStore,
  StoredEffect,
} from './stores/effect-store.ts'
export type { Limiter, NamedRate, RateRefusal } from './stores/limiter.ts'
export { type LimiterLimits, MemoryLimiter, type MemoryLimiterOptions } from './stores/memory-limiter.ts'
export * from './wire/errors.ts'
export type { Sealer } from './wire/sealed.ts'
