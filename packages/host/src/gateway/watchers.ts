import type { Change, Client } from '@trunkline/mcp'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { ServerKey } from '../servers/server-key.ts'
import type { OwnedResource } from './owner.ts'
import type { View } from './view.ts'

/** A server, or the copy of it that one caller has for itself. */
export interface Instance {
  readonly name: string
  /** A client of it, started when needed. */
  client(): Promise<Client>
}

/** What a caller watches. */
export interface Watched {
  readonly view: Pick<View, 'servers'>
  readonly catalogue: Catalogue
  /** Resources, with the server of each. */
  readonly owned: readonly OwnedResource[]
  /** The address of a server's resource as the caller knows it. */
  shown(resource: OwnedResource): string
  /** Which instance of a server works for the caller. */
  instanceOf(server: ServerKey): Instance
}

type OnChange = (change: Change) => void

/** A caller that hears of changed lists. */
interface Listener {
  readonly onChange: OnChange
  /** Whether an instance works for it. */
  has(instance: string): boolean
}

interface Subscription {
  readonly instance: Instance
  readonly uri: string
  readonly listeners: Set<OnChange>
  /** The client it was made with; undefined while there is none. */
  client: Client | undefined
  isStarting: boolean
  /** A client that came while it was being made with another one. */
  next: Client | undefined
  stop: () => void
}

/** One subscription per instance and resource, however many callers watch it. */
export class Watchers {
  readonly #subscriptions = new Map<string, Subscription>()
  readonly #listeners = new Set<Listener>()
  readonly #ofResources = new Set<(instance: string) => void>()

  /** How many resources are subscribed to at servers. */
  get size(): number {
    return this.#subscriptions.size
  }

  /** Whether a resource of an instance is watched. */
  has(instance: string): boolean {
    for (const one of this.#subscriptions.values()) if (one.instance.name === instance) return true
    return false
  }

  watch({ view, catalogue, owned, shown, instanceOf }: Watched, onChange: OnChange): () => void {
    const stops = owned.map(({ server, uri }) =>
      this.#subscribe(instanceOf(server), uri, (change) =>
        onChange(change.kind === 'resource' ? { ...change, uri: shown({ server, uri: change.uri }) } : change),
      ),
    )
    const lists = catalogue.onChange((server, which) => {
      if (!view.servers().includes(server)) return
      // instructions are told when a caller opens, and no notification tells that they are others
      for (const kind of which) if (kind !== 'instructions') onChange({ kind: listOf[kind] })
    })
    const has = (instance: string): boolean => view.servers().some((server) => instanceOf(server).name === instance)
    const listener = { onChange, has }
    this.#listeners.add(listener)
    return () => {
      lists()
      this.#listeners.delete(listener)
      for (const stop of stops) stop()
    }
  }

  /** The resources that an instance has are others now; those are told for whom it works. */
  resourcesChanged(instance: string): void {
    for (const { has, onChange } of this.#listeners) if (has(instance)) onChange({ kind: 'resources' })
    for (const listener of this.#ofResources) listener(instance)
  }

  /** Calls back when any instance has other resources, whoever watches it, until the returned function is called. */
  onResources(listener: (instance: string) => void): () => void {
    this.#ofResources.add(listener)
    return () => this.#ofResources.delete(listener)
  }

  /** An instance came back with a new client: what is watched of it is subscribed to again, and may have changed meanwhile. */
  renew(instance: string, client: Client): void {
    for (const [key, subscription] of this.#subscriptions) {
      if (subscription.instance.name !== instance || subscription.client === client) continue
      if (subscription.isStarting) subscription.next = client
      else this.#restart(key, subscription)
    }
  }

  #subscribe(instance: Instance, uri: string, onChange: OnChange): () => void {
    const key = JSON.stringify([instance.name, uri])
    const known = this.#subscriptions.get(key)
    const subscription = known ?? newSubscription(instance, uri)
    subscription.listeners.add(onChange)
    if (!known) {
      this.#subscriptions.set(key, subscription)
      this.#start(key, subscription)
    }
    return () => {
      subscription.listeners.delete(onChange)
      if (subscription.listeners.size > 0) return
      this.#subscriptions.delete(key)
      subscription.stop()
    }
  }

  #restart(key: string, subscription: Subscription): void {
    subscription.stop()
    this.#start(key, subscription)
    for (const listener of subscription.listeners) listener({ kind: 'resource', uri: subscription.uri })
  }

  #start(key: string, subscription: Subscription): void {
    let isOver = false
    let close = (): void => {}
    subscription.stop = () => {
      isOver = true
      close()
    }
    subscription.client = undefined
    subscription.next = undefined
    subscription.isStarting = true
    const hear = (change: Change): void => {
      for (const listener of subscription.listeners) listener(change)
    }
    const { instance, uri } = subscription
    instance
      .client()
      .then(async (client) => {
        const watching = await client.watch({ uris: [uri] }, hear)
        subscription.client = client
        close = () => void watching.close()
        if (isOver || this.#subscriptions.get(key) !== subscription) close()
      })
      // a server that cannot be reached now is subscribed to when it comes back
      .catch(() => {})
      .finally(() => {
        if (isOver) return
        subscription.isStarting = false
        if (subscription.next && subscription.next !== subscription.client) this.#restart(key, subscription)
      })
  }
}

/** The list in which callers find entries of a kind. */
const listOf = { tool: 'tools', prompt: 'prompts', template: 'resources' } as const

function newSubscription(instance: Instance, uri: string): Subscription {
  const listeners = new Set<OnChange>()
  return { instance, uri, listeners, client: undefined, isStarting: false, next: undefined, stop: () => {} }
}
