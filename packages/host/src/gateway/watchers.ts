import type { Change, Client } from '@trunkline/mcp'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { OwnedResource } from './owner.ts'
import type { View } from './view.ts'

/** What a caller watches. */
export interface Watched {
  readonly view: Pick<View, 'servers'>
  readonly catalogue: Catalogue
  /** Resources, with the server of each. */
  readonly owned: readonly OwnedResource[]
  /** The address of a server's resource as the caller knows it. */
  shown(resource: OwnedResource): string
}

interface Subscription {
  readonly listeners: Set<(change: Change) => void>
  stop: (() => void) | undefined
}

export interface WatchersOptions {
  /** A client of a server, started when needed. */
  client(server: string): Promise<Client>
}

/** One subscription per server and resource, however many callers watch it. */
export class Watchers {
  readonly #options: WatchersOptions
  readonly #subscriptions = new Map<string, Subscription>()

  constructor(options: WatchersOptions) {
    this.#options = options
  }

  /** How many resources are subscribed to at servers. */
  get size(): number {
    return this.#subscriptions.size
  }

  watch({ view, catalogue, owned, shown }: Watched, onChange: (change: Change) => void): () => void {
    const stops = owned.map(({ server, uri }) =>
      this.#subscribe(server, uri, (change) =>
        onChange(change.kind === 'resource' ? { ...change, uri: shown({ server, uri: change.uri }) } : change),
      ),
    )
    const lists = catalogue.onChange((server) => {
      if (!view.servers().includes(server)) return
      onChange({ kind: 'tools' })
      onChange({ kind: 'prompts' })
      onChange({ kind: 'resources' })
    })
    return () => {
      lists()
      for (const stop of stops) stop()
    }
  }

  /** A server came back: what is watched of it is subscribed to again, and may have changed meanwhile. */
  renew(server: string): void {
    for (const [key, subscription] of this.#subscriptions) {
      const [owner, uri] = JSON.parse(key) as [string, string]
      if (owner !== server) continue
      subscription.stop?.()
      this.#start(key, subscription, server, uri)
      for (const listener of subscription.listeners) listener({ kind: 'resource', uri })
    }
  }

  #subscribe(server: string, uri: string, onChange: (change: Change) => void): () => void {
    const key = JSON.stringify([server, uri])
    const known = this.#subscriptions.get(key)
    const subscription = known ?? { listeners: new Set(), stop: undefined }
    subscription.listeners.add(onChange)
    if (!known) {
      this.#subscriptions.set(key, subscription)
      this.#start(key, subscription, server, uri)
    }
    return () => {
      subscription.listeners.delete(onChange)
      if (subscription.listeners.size > 0) return
      this.#subscriptions.delete(key)
      subscription.stop?.()
    }
  }

  #start(key: string, subscription: Subscription, server: string, uri: string): void {
    let isOver = false
    let close = (): void => {}
    subscription.stop = () => {
      isOver = true
      close()
    }
    const hear = (change: Change): void => {
      for (const listener of subscription.listeners) listener(change)
    }
    this.#options
      .client(server)
      .then((client) => client.watch({ uris: [uri] }, hear))
      .then((watching) => {
        close = () => void watching.close()
        if (isOver || this.#subscriptions.get(key) !== subscription) close()
      })
      // a server that cannot be reached now is subscribed to when it comes back
      .catch(() => {})
  }
}
