import type { ClientCapabilities } from '../../model/input.ts'
import type { Implementation, LogLevel } from '../../model/types.ts'
import type { Incoming } from '../../rpc/incoming.ts'
import type { Fields } from '../../wire/messages.ts'
import { isAnnounced } from '../change-notifications.ts'
import type { Conversation, Dialect } from '../dialect.ts'
import { encodeServerCapabilities } from '../encode-capabilities.ts'
import { pick } from '../encode-result.ts'
import type { Facts } from '../revision-facts.ts'
import { changeAnnouncer } from './announce-change.ts'
import { assertOffered } from './assert-offered.ts'
import { serveSubscribe, serveUnsubscribe } from './serve-subscriptions.ts'

type Step = (
  incoming: Incoming,
  conversation: Conversation,
  own: { dialect: Dialect; facts: Facts },
) => Promise<Fields> | Fields

const nothing: Fields = {}

/** The log level before `logging/setLevel`. */
const firstLogLevel: LogLevel = 'info'

/** The handlers of methods about the connection itself. */
export const lifecycle: ReadonlyMap<string, Step> = new Map<string, Step>([
  ['initialize', initialize],
  ['ping', () => nothing],
  ['logging/setLevel', setLevel],
  ['resources/subscribe', serveSubscribe],
  ['resources/unsubscribe', serveUnsubscribe],
])

function initialize(
  { params, sender }: Incoming,
  conversation: Conversation,
  { dialect, facts }: Parameters<Step>[2],
): Fields {
  const { info } = conversation.server
  for (const stop of conversation.watching.values()) stop()
  conversation.watching.clear()
  conversation.dialect = dialect
  conversation.caller = {
    revision: dialect.revision,
    info: params.clientInfo as Implementation,
    capabilities: params.capabilities as ClientCapabilities,
    logLevel: firstLogLevel,
    principal: sender?.principal,
    scopes: sender?.scopes,
    claims: sender?.claims,
  }
  const instructions = conversation.server.instructions(conversation.caller)
  return {
    protocolVersion: dialect.revision,
    capabilities: encodeServerCapabilities(conversation.server.declares(sender), facts),
    serverInfo: pick(info as unknown as Fields, facts.vocabulary.types, 'Implementation'),
    ...(instructions !== undefined && { instructions }),
  }
}

/** Handles `notifications/initialized`: from now on the server sends list changes. */
export function initialized(conversation: Conversation, { vocabulary }: Facts): void {
  const { caller, notify, server, watching } = conversation
  if (!caller || !notify || watching.has('lists')) return
  const announce = changeAnnouncer(notify)
  const stop = server.watch(caller, (change) => {
    if (change.kind !== 'resource' && isAnnounced(change.kind, vocabulary)) announce(change)
  })
  watching.set('lists', stop)
}

function setLevel({ params }: Incoming, conversation: Conversation): Fields {
  assertOffered(conversation, conversation.server.capabilities.logging !== undefined, 'logging/setLevel')
  if (conversation.caller) conversation.caller = { ...conversation.caller, logLevel: params.level as LogLevel }
  return nothing
}
