import type { Change, Client } from '@trunkline/mcp'
import type { StopWatching } from '@trunkline/mcp/relay'
import type { ServerKey } from '../act/server-key.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { CoalescedRuns } from '../servers/coalesced-runs.ts'
import type { Instance } from '../servers/server-instances.ts'
import type { OwnedResource } from './owner.ts'
import type { View } from './view.ts'

/** Resources and lists that a caller watches. */
export interface Watched {
  readonly view: Pick<View, 'servers'>
  readonly catalogue: Catalogue
  /** Resources, with the server of each. */
  readonly owned: readonly OwnedResource[]
  /** The address of a server's resource as the caller knows it. */
  shown(resource: OwnedResource): string
  /** The instance of a server that works for the caller. */
  instanceOf(server: ServerKey): Instance
}

type OnChange = (change: Change) => void

/** A caller that hears of changed lists. */
interface Listener {
  readonly onChange: OnChange
  /** True if an instance works for it. */
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
  /** Resolves when it was made, or could not be; never rejects. */
  ready: Promise<void>
}

/** Longest time that a caller waits for its subscriptions at servers, in milliseconds. */
const maxReadyMs = 10_000

/** Resolves when all are made, or when a caller should not wait any longer. */
async function allReady(subscriptions: readonly Pick<Subscription, 'ready'>[]): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, maxReadyMs)
  })
  await Promise.race([Promise.all(subscriptions.map(({ ready }) => ready)), late])
  clearTimeout(timer)
}

/** One subscription per instance and resource, however many callers watch it. */
export class Watchers {
  readonly #subscriptions = new Map<string, Subscription>()
  readonly #listeners = new Set<Listener>()
  readonly #ofResources = new Set<(instance: string) => void>()

  /** Number of resources subscribed to at servers. */
  get size(): number {
    return this.#subscriptions.size
  }

  /** True if a resource of an instance is watched. */
  has(instance: string): boolean {
    for (const one of this.#subscriptions.values()) if (one.instance.name === instance) return true
    return false
  }

  watch({ view, catalogue, owned, shown, instanceOf }: Watched, onChange: OnChange): StopWatching {
    const subscriptions = owned.map(({ server, uri }) =>
      this.#subscribe(instanceOf(server), uri, (change) =>
        onChange(change.kind === 'resource' ? { ...change, uri: shown({ server, uri: change.uri }) } : change),
      ),
    )
    const lists = catalogue.onChange((server, which) => {
      if (!view.servers().includes(server)) return
      // instructions are sent when a caller opens, and no notification tells that they changed
      const lists = new Set([...which].flatMap((kind) => (kind === 'instructions' ? [] : listOf[kind])))
      for (const kind of lists) onChange({ kind })
    })
    const has = (instance: string): boolean => view.servers().some((server) => instanceOf(server).name === instance)
    const listener = { onChange, has }
    this.#listeners.add(listener)
    const stop = (): void => {
      lists()
      this.#listeners.delete(listener)
      for (const each of subscriptions) each.stop()
    }
    return Object.assign(stop, { ready: owned.length > 0 ? allReady(subscriptions) : undefined })
  }

  /** Tells the callers of an instance that its resources changed. */
  resourcesChanged(instance: string): void {
    for (const { has, onChange } of this.#listeners) if (has(instance)) onChange({ kind: 'resources' })
    for (const listener of this.#ofResources) listener(instance)
  }

  /** Announces that an instance has other resources, as often as is useful, however often the returned function is called. */
  announcing(instance: string): () => void {
    const runs = new CoalescedRuns(async () => this.resourcesChanged(instance))
    return () => void runs.runAgain()
  }

  /** Calls back when the resources of any instance change, watched or not, until the returned function is called. */
  onResources(listener: (instance: string) => void): () => void {
    this.#ofResources.add(listener)
    return () => this.#ofResources.delete(listener)
  }

  /** Subscribes again for an instance that came back with a new client; its resources may have changed meanwhile. */
  renew(instance: string, client: Client): void {
    for (const [key, subscription] of this.#subscriptions) {
      if (subscription.instance.name !== instance || subscription.client === client) continue
      if (subscription.isStarting) subscription.next = client
      else this.#restart(key, subscription)
    }
  }

  #subscribe(instance: Instance, uri: string, onChange: OnChange): Pick<Subscription, 'ready' | 'stop'> {
    const key = JSON.stringify([instance.name, uri])
    const known = this.#subscriptions.get(key)
    const subscription = known ?? newSubscription(instance, uri)
    subscription.listeners.add(onChange)
    if (!known) {
      this.#subscriptions.set(key, subscription)
      this.#start(key, subscription)
    }
    const stop = (): void => {
      subscription.listeners.delete(onChange)
      if (subscription.listeners.size > 0) return
      this.#subscriptions.delete(key)
      subscription.stop()
    }
    return { stop, ready: subscription.ready }
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
    subscription.ready = instance
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
const listOf = { tool: 'tools', prompt: 'prompts', template: 'resources', skill: 'resources' } as const

function newSubscription(instance: Instance, uri: string): Subscription {
  const listeners = new Set<OnChange>()
  return {
    instance,
    uri,
    listeners,
    client: undefined,
    isStarting: false,
    next: undefined,
    stop: () => {},
    ready: Promise.resolve(),
  }
}
