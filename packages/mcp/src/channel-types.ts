/** The types for writing a channel, and for reading messages. */
export type { Channel, Labels, Receiver, Sender, SendOptions } from './rpc/channel.ts'
export type { DeadlineOptions } from './rpc/deadline.ts'
export type { Incoming } from './rpc/incoming.ts'
export type { Interceptor } from './rpc/interceptor.ts'
export type { PeerLimits } from './rpc/peer-limits.ts'
export type { CallOptions, Progress } from './rpc/pending-call.ts'
export type {
  FailureMessage,
  Fields,
  Id,
  Message,
  NotificationMessage,
  RequestMessage,
  ResponseMessage,
  SuccessMessage,
  WireError,
} from './wire/messages.ts'
