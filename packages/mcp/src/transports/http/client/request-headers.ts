import { encodeHeader, headerNames, namesOwnRevision } from '../../../dialects/http-status.ts'
import { claimedRevision } from '../../../dialects/stateless/request-meta.ts'
import { methods } from '../../../model/features.ts'
import type { SendOptions } from '../../../rpc/channel.ts'
import type { Fields, Message, NotificationMessage, RequestMessage } from '../../../wire/messages.ts'
import { lastEventHeader } from '../headers.ts'
import type { HeaderRecord } from './http-channel-options.ts'

/** The headers of every POST. */
export const postHeaders: HeaderRecord = {
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
}

/** The headers of a GET for a stream, from now on or after an event id. */
export function listenHeaders(lastEventId?: string): HeaderRecord {
  const accept = 'text/event-stream'
  if (lastEventId === undefined) return { accept }
  // the UTF-8 bytes of the id, as a header carries them
  return { accept, [lastEventHeader]: String.fromCharCode(...new TextEncoder().encode(lastEventId)) }
}

/** True if a message names its own revision, so that it belongs to no session. */
export function isSelfContained(
  message: Message | readonly Message[],
): message is RequestMessage | NotificationMessage {
  return 'method' in message && namesOwnRevision(message.params)
}

/** The headers that repeat parts of a self-contained message for intermediaries. */
export function headersAbout(
  { method, params = {} }: RequestMessage | NotificationMessage,
  { labels = {}, name }: SendOptions = {},
): HeaderRecord {
  const marked = Object.entries(labels).map(([name, value]) => [headerNames.param + name, encodeHeader(value)])
  return {
    [headerNames.version]: String(claimedRevision(params)),
    [headerNames.method]: method,
    ...nameHeader(name ?? nameIn(method, params)),
    ...Object.fromEntries(marked),
  }
}

function nameIn(method: string, params: Fields): unknown {
  const named = methods.get(method)?.named
  return named && params[named]
}

function nameHeader(name: unknown): HeaderRecord {
  return typeof name === 'string' ? { [headerNames.name]: encodeHeader(name) } : {}
}
