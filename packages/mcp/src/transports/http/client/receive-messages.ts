import type { Receiver } from '../../../rpc/channel.ts'
import { Malformed } from '../../../wire/classify.ts'
import { RpcError } from '../../../wire/errors.ts'
import type { Message } from '../../../wire/messages.ts'
import { type Reading, readMessages } from '../../../wire/read-messages.ts'

/** Receives messages, and malformed ones. */
export type MessageSink = Pick<Receiver, 'message' | 'malformed'>

/** Delivers the messages in a text; returns the problem of one that belongs to no call. */
export function receiveMessages(text: string, sink: MessageSink): RpcError | undefined {
  const reading = readMessages(text)
  if (reading instanceof RpcError) return refused(reading, sink)
  if (!isBatch(reading)) sink.message(reading)
  else {
    const messages = reading.filter((entry): entry is Message => !(entry instanceof RpcError))
    for (const entry of reading) if (entry instanceof RpcError) refused(entry, sink)
    if (messages.length > 0) sink.message(messages)
  }
  return undefined
}

function refused(error: RpcError, sink: MessageSink): RpcError | undefined {
  if (!(error instanceof Malformed) || (error.id === undefined && !error.isResponse)) return error
  sink.malformed(error, error.id)
  return undefined
}

function isBatch(reading: Exclude<Reading, RpcError>): reading is readonly (Message | RpcError)[] {
  return Array.isArray(reading)
}
