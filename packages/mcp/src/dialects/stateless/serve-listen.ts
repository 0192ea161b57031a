import { controlMethods } from '../../model/control-methods.ts'
import { type ListFilter, watchedLists } from '../../model/features.ts'
import type { Change, Interest } from '../../model/types.ts'
import type { Incoming } from '../../rpc/incoming.ts'
import { runAtTime } from '../../rpc/run-at-time.ts'
import type { Fields } from '../../wire/messages.ts'
import { changeKey, encodeChange, isAnnounced, isOfInterest } from '../change-notifications.ts'
import { ChangeNotifier } from '../change-notifier.ts'
import type { Asking, Conversation, ServerSide } from '../dialect.ts'
import type { Facts } from '../revision-facts.ts'
import { callerFromMeta, meta } from './request-meta.ts'

/** The filter of a listen request on the wire. */
type Filter = { readonly [Name in ListFilter]?: boolean } & { readonly resourceSubscriptions?: readonly string[] }

/** Serves `subscriptions/listen`: keeps the request open and reports changes until either side ends it. */
export async function serveListen(
  incoming: Incoming,
  { server, watching, ending }: Conversation,
  facts: Facts,
): Promise<Fields> {
  const label = { [meta.subscription]: incoming.id }
  const filter = honoured(incoming.params.notifications as Filter, server, facts)
  const asking: Asking = { method: incoming.method, incoming, caller: callerFromMeta(incoming) }
  server.checkWatch(filter.resourceSubscriptions ?? [], asking)
  const more = (await server.listen?.(incoming.params.notifications as Fields, asking)) ?? []
  const notifications = Object.assign({}, filter, ...more.map(({ honoured }) => honoured))
  let ready: Promise<void> | undefined
  // nothing is reported before the acknowledgement, which waits until the watch is ready
  const notifier = new ChangeNotifier<[method: string, params: Fields]>(async (notice) => {
    await ready
    await incoming.notify(...notice)
  })
  const wanted = wants(filter)
  const uris = filter.resourceSubscriptions
  const hear = (change: Change): void => {
    if (wanted(change)) notifier.announce(changeKey(change), encodeChange(change, label))
  }
  const unwatch = server.watch(asking.caller, hear, uris)
  ready = unwatch.ready
  const stops = more.map((each) =>
    each.start((key, method, params) => notifier.announce(key, [method, { ...params, _meta: label }])),
  )
  const stop = (): void => {
    for (const each of [unwatch, ...stops]) each()
  }
  // a symbol, because many clients may share this conversation and use the same ids
  const key = Symbol('listen')
  watching.set(key, stop)
  try {
    if (ready) await ready
    await incoming.notify('notifications/subscriptions/acknowledged', { notifications, _meta: label })
    await untilEnough(incoming, ending)
  } finally {
    stop()
    watching.delete(key)
  }
  // the specification asks for the result on one page and for this notification on another; over HTTP the stream ends
  if (!incoming.sender?.headers) await incoming.notify(controlMethods.cancelled, { requestId: incoming.id })
  return { _meta: label }
}

/** The part of a filter that this server can honour. */
function honoured(filter: Filter, { capabilities, limits }: ServerSide, { vocabulary }: Facts): Filter {
  const lists = watchedLists.filter(
    ({ kind, filter: name }) => filter[name] && capabilities[kind]?.listChanged && isAnnounced(kind, vocabulary),
  )
  const uris = capabilities.resources?.subscribe
    ? filter.resourceSubscriptions?.slice(0, limits.maxSubscriptionsPerConnection)
    : undefined
  return { ...asking(lists), ...(uris && { resourceSubscriptions: uris }) }
}

function wants(filter: Filter): (change: Change) => boolean {
  const lists = watchedLists.map(({ kind, filter: name }) => [kind, filter[name] === true])
  const interest: Interest = { ...Object.fromEntries(lists), uris: filter.resourceSubscriptions ?? [] }
  return (change) => isOfInterest(interest, change)
}

/** The listen filter for an interest. */
export function filterOf(interest: Interest): Filter {
  const { uris } = interest
  const lists = watchedLists.filter(({ kind }) => interest[kind])
  return { ...asking(lists), ...(uris && { resourceSubscriptions: uris }) }
}

/** A filter that asks for these lists. */
function asking(lists: typeof watchedLists): Filter {
  return Object.fromEntries(lists.map(({ filter }) => [filter, true]))
}

/** Resolves when either side ends the stream, or when the authorization expires. */
function untilEnough({ signal, sender }: Incoming, ending: AbortSignal): Promise<void> {
  const signals = [signal, ending]
  return new Promise((resolve) => {
    if (signals.some(({ aborted }) => aborted)) return resolve()
    const done = (): void => {
      callOff?.()
      for (const one of signals) one.removeEventListener('abort', done)
      resolve()
    }
    const callOff = sender?.expiresAt === undefined ? undefined : runAtTime(sender.expiresAt, done)
    for (const one of signals) one.addEventListener('abort', done)
  })
}
