import type { Message, RequestMessage } from '../../../wire/messages.ts'

/** True if the body is a batch. */
export function isBatch<One>(posted: One | readonly One[]): posted is readonly One[] {
  return Array.isArray(posted)
}

/** True if a message is a request. */
export function isRequest(message: Message): message is RequestMessage {
  return 'method' in message && 'id' in message
}
