import type { ClientCapabilities } from '../../model/input.ts'
import type { Change, Implementation, LogLevel } from '../../model/types.ts'
import type { Incoming } from '../../rpc/incoming.ts'
import { InternalError, MethodNotFound, RpcError } from '../../wire/errors.ts'
import type { Fields } from '../../wire/messages.ts'
import { spellServerCapabilities } from '../capabilities.ts'
import { ChangeNotifier } from '../change-notifier.ts'
import { changeKey, isOfInterest, spellChange } from '../changes.ts'
import type { Conversation, Dialect } from '../dialect.ts'
import { pick } from '../encode-result.ts'
import type { Facts } from '../revision-facts.ts'
import { sessionCaller } from './caller.ts'

type Step = (incoming: Incoming, conversation: Conversation, own: { dialect: Dialect; facts: Facts }) => Fields

const nothing: Fields = {}

/** Logging is on until the client says otherwise; this much of it. */
const firstLogLevel: LogLevel = 'info'

/** The requests that are about the conversation itself. */
export const lifecycle: ReadonlyMap<string, Step> = new Map<string, Step>([
  ['initialize', initialize],
  ['ping', () => nothing],
  ['logging/setLevel', setLevel],
  ['resources/subscribe', subscribe],
  ['resources/unsubscribe', unsubscribe],
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
  }
  const instructions = conversation.server.instructions(conversation.caller)
  return {
    protocolVersion: dialect.revision,
    capabilities: spellServerCapabilities(conversation.server.declares(sender), facts),
    serverInfo: pick(info as unknown as Fields, facts.vocabulary.types, 'Implementation'),
    ...(instructions !== undefined && { instructions }),
  }
}

/** Only from here on may the server speak first, so only from here on are list changes told. */
export function initialized(conversation: Conversation): void {
  const { caller, notify, server, watching } = conversation
  if (!caller || !notify || watching.has('lists')) return
  const announcer = new ChangeNotifier<Change>((change) => notify(...spellChange(change)))
  const stop = server.watch(caller, (change) => {
    if (change.kind !== 'resource') announcer.announce(changeKey(change), change)
  })
  watching.set('lists', stop)
}

function setLevel({ params }: Incoming, conversation: Conversation): Fields {
  needs(conversation, conversation.server.capabilities.logging !== undefined, 'logging/setLevel')
  if (conversation.caller) conversation.caller = { ...conversation.caller, logLevel: params.level as LogLevel }
  return nothing
}

function subscribe(incoming: Incoming, conversation: Conversation): Fields {
  const { watching, server, notify } = conversation
  const uri = watchable(incoming, conversation)
  const key = `resource ${uri}`
  if (watching.has(key)) return nothing
  const resources = watching.size - (watching.has('lists') ? 1 : 0)
  if (resources >= server.limits.maxSubscriptionsPerConnection) {
    throw new RpcError(
      InternalError,
      `Cannot watch "${uri}": one client may watch ${server.limits.maxSubscriptionsPerConnection} resources`,
    )
  }
  const announcer = new ChangeNotifier<Change>((change) => notify?.(...spellChange(change)))
  const hear = (change: Change): void => {
    if (change.kind === 'resource' && isOfInterest({ uris: [uri] }, change))
      announcer.announce(changeKey(change), change)
  }
  const stop = server.watch(sessionCaller(incoming, conversation), hear, [uri])
  watching.set(key, stop)
  return nothing
}

function unsubscribe(incoming: Incoming, conversation: Conversation): Fields {
  const { watching } = conversation
  const key = `resource ${watchable(incoming, conversation)}`
  watching.get(key)?.()
  watching.delete(key)
  return nothing
}

/** The resource that a request names, when its sender may watch it. */
function watchable(incoming: Incoming, conversation: Conversation): string {
  const { method, params } = incoming
  const { server, notify } = conversation
  needs(conversation, notify !== undefined && server.capabilities.resources?.subscribe === true, method)
  const { uri } = params as { uri: string }
  server.checkWatch([uri], { method, incoming, caller: sessionCaller(incoming, conversation) })
  return uri
}

function needs({ caller }: Conversation, offered: boolean, method: string): void {
  if (caller && offered) return
  throw new RpcError(
    MethodNotFound,
    `Cannot serve "${method}": ${caller ? 'this server does not offer it' : 'nobody introduced themselves'}`,
  )
}
