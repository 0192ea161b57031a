import type { Change } from '../../model/types.ts'
import type { Incoming } from '../../rpc/incoming.ts'
import { InternalError, RpcError } from '../../wire/errors.ts'
import type { Fields } from '../../wire/messages.ts'
import { isOfInterest } from '../change-notifications.ts'
import type { Conversation } from '../dialect.ts'
import { changeAnnouncer } from './announce-change.ts'
import { assertOffered } from './assert-offered.ts'
import { sessionCaller } from './caller.ts'

const nothing: Fields = {}

/** Starts to notify the client of changes to one resource, up to `maxSubscriptionsPerConnection` resources. */
export function serveSubscribe(incoming: Incoming, conversation: Conversation): Promise<Fields> | Fields {
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
  const announce = changeAnnouncer(notify)
  const hear = (change: Change): void => {
    if (change.kind === 'resource' && isOfInterest({ uris: [uri] }, change)) announce(change)
  }
  const stop = server.watch(sessionCaller(incoming, conversation), hear, [uri])
  watching.set(key, stop)
  return stop.ready ? stop.ready.then(() => nothing) : nothing
}

/** Stops what {@link serveSubscribe} started. */
export function serveUnsubscribe(incoming: Incoming, conversation: Conversation): Fields {
  const { watching } = conversation
  const key = `resource ${watchable(incoming, conversation)}`
  watching.get(key)?.()
  watching.delete(key)
  return nothing
}

/** The resource of a request, once its caller is allowed to watch it. */
function watchable(incoming: Incoming, conversation: Conversation): string {
  const { method, params } = incoming
  const { server, notify } = conversation
  assertOffered(conversation, notify !== undefined && server.capabilities.resources?.subscribe === true, method)
  const { uri } = params as { uri: string }
  server.checkWatch([uri], { method, incoming, caller: sessionCaller(incoming, conversation) })
  return uri
}
