import type { Message, Request } from '../../../wire/messages.ts'

/** Whether several things came as one array. */
export function isBatch<One>(posted: One | readonly One[]): posted is readonly One[] {
  return Array.isArray(posted)
}

/** Whether a message wants an answer. */
export function isRequest(message: Message): message is Request {
  return 'method' in message && 'id' in message
}
