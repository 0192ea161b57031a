import { type ListKind, watchedLists } from '../model/features.ts'
import type { Change, Interest } from '../model/types.ts'
import type { Fields } from '../wire/messages.ts'
import type { Vocabulary } from '../wire/vocabulary.ts'

const methodOf = {
  ...(Object.fromEntries(watchedLists.map(({ kind, notification }) => [kind, notification])) as {
    readonly [Kind in ListKind]: string
  }),
  resource: 'notifications/resources/updated',
} as const satisfies { readonly [Kind in Change['kind']]: string }

const kindOf = new Map(Object.entries(methodOf).map(([kind, method]) => [method, kind as Change['kind']]))

/** The notification of a change, with the label of its subscription. */
export function encodeChange(change: Change, label?: Fields): [method: string, params: Fields] {
  const uri = change.kind === 'resource' ? { uri: change.uri } : {}
  return [methodOf[change.kind], label ? { ...uri, _meta: label } : uri]
}

/** True if a revision has the notification of a change. */
export function isAnnounced(kind: Change['kind'], { server }: Vocabulary): boolean {
  return server.notifications.has(methodOf[kind])
}

/** The key under which changes are merged: the latest one of a key is sent. */
export function changeKey(change: Change): string {
  return change.kind === 'resource' ? `resource ${change.uri}` : change.kind
}

/** The change that a notification reports, if it reports one. */
export function decodeChange(method: string, params: Fields): Change | undefined {
  const kind = kindOf.get(method)
  if (kind !== 'resource') return kind && { kind }
  return typeof params.uri === 'string' ? { kind, uri: params.uri } : undefined
}

/** True if an interest covers a change. */
export function isOfInterest(interest: Interest, change: Change): boolean {
  if (change.kind !== 'resource') return interest[change.kind] === true
  // a server may report a sub-resource of a watched one
  return interest.uris?.some((uri) => change.uri === uri || change.uri.startsWith(`${uri}/`)) === true
}
