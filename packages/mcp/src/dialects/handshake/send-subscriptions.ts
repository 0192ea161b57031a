import type { Link } from '../dialect.ts'

interface Subscription {
  watches: number
  readonly agreed: Promise<unknown>
}

const subscriptions = new WeakMap<Link, Map<string, Subscription>>()

/** Subscribes to a resource once, however many watch it here; resolves when the server has agreed. */
export async function sendSubscribe(link: Link, uri: string): Promise<void> {
  const known = subscriptionsOf(link)
  const subscription = known.get(uri) ?? { watches: 0, agreed: link.call('resources/subscribe', { uri }) }
  known.set(uri, subscription)
  subscription.watches += 1
  await subscription.agreed
}

/** Unsubscribes when the last watch of the resource has ended. */
export async function sendUnsubscribe(link: Link, uri: string): Promise<void> {
  const known = subscriptionsOf(link)
  const subscription = known.get(uri)
  if (!subscription) return
  subscription.watches -= 1
  if (subscription.watches > 0) return
  known.delete(uri)
  await link.call('resources/unsubscribe', { uri })
}

function subscriptionsOf(link: Link): Map<string, Subscription> {
  const known = subscriptions.get(link) ?? new Map<string, Subscription>()
  subscriptions.set(link, known)
  return known
}
