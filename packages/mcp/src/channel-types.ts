/** The types for writing a channel, and for reading messages. */
export type { Channel, Labels, Receiver, Sender, SendOptions } from './rpc/channel.ts'
export type { DeadlineOptions } from './rpc/deadline.ts'
export type { Incoming } from './rpc/incoming.ts'
export type { Interceptor } from './rpc/interceptor.ts'
export type { PeerLimits } from './rpc/peer-limits.ts'
export type { CallOptions, Progress } from './rpc/pending-call.ts'
export type {
  Failure as FailureMessage,
  Fields,
  Id,
  Message,
  Notification as NotificationMessage,
  Request as RequestMessage,
  Response as ResponseMessage,
  Success as SuccessMessage,
  WireError,
} from './wire/messages.ts'
