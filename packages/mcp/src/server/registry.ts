import type { Caller, ServerHandler } from '../dialects/dialect.ts'
import { McpError } from '../wire/errors.ts'

/** A tool, resource, template or prompt of a server. */
export interface Offer {
  /** Selects the callers that may see and use it. @default all */
  readonly visible?: ((caller: Caller) => boolean) | undefined
  /** The scopes that a caller needs, where authorization is used. @default nothing */
  readonly scopes?: readonly string[] | undefined
  /** Prepares it for listing; fails when it cannot be listed, and warns about what may not work. */
  prepare?(warn: Warn): Promise<void> | undefined | void
}

/** Warns the author of a server. */
export type Warn = (message: string) => void

/** An offer with its original name, and the handler of the mounted server it belongs to. */
export interface Found<Item> {
  readonly item: Item
  readonly name: string
  readonly home: ServerHandler | undefined
}

interface Mounted<Item> {
  readonly rename: (name: string) => string
  readonly registry: Registry<Item & Offer>
  readonly home: ServerHandler
}

interface Own<Item> {
  readonly item: Item
  enabled: boolean
  /** True if it cannot be listed. */
  broken: boolean
}

export interface RegistryOptions {
  /** Called when the offers change. */
  changed(): void
  readonly warn: Warn
}

/** The offers of one kind, in order of definition: own ones and mounted ones, enabled or disabled. */
export class Registry<Item extends Offer> {
  readonly #what: string
  readonly #options: RegistryOptions
  readonly #own = new Map<string, Own<Item>>()
  readonly #mounted: Mounted<Item>[] = []
  readonly #dependents = new Set<() => void>()
  // rebuilt after changes, so that mounts do not slow down lookups
  #view: ReadonlyMap<string, Found<Item>> | undefined
  #restricted = false
  #isServing = false

  constructor(what: string, options: RegistryOptions) {
    this.#what = what
    this.#options = options
  }

  /** Prepares all offers, from now on; one that cannot be listed is hidden, and its author is warned. */
  start(): void {
    if (this.#isServing) return
    this.#isServing = true
    for (const [name, own] of this.#own) this.#prepare(name, own)
    for (const { registry } of this.#mounted) registry.start()
  }

  add(name: string, item: Item): void {
    if (name === '') throw new McpError('Misuse', `Cannot add a ${this.#what} without a name`)
    if (this.#own.has(name)) throw new McpError('Misuse', `Cannot add ${this.#what} "${name}": it exists already`)
    const own = { item, enabled: true, broken: false }
    this.#own.set(name, own)
    if (this.#isServing) this.#prepare(name, own)
    this.#invalidate()
  }

  /** Removes an offer. */
  remove(name: string): void {
    this.#entry(name, 'remove')
    this.#own.delete(name)
    this.#invalidate()
  }

  /** Announces that an offer has changed. */
  touch(name: string): void {
    this.#entry(name, 'announce a change of')
    this.#invalidate()
  }

  /** Hides an offer until it is enabled again. */
  disable(name: string): void {
    this.#switch(name, false)
  }

  enable(name: string): void {
    this.#switch(name, true)
  }

  /** True if an offer of this name exists and is enabled. */
  has(name: string): boolean {
    return this.#all().has(name)
  }

  get size(): number {
    return this.#all().size
  }

  /** True if the list depends on the caller. */
  get restricted(): boolean {
    this.#all()
    return this.#restricted
  }

  /** Finds an offer that this caller may use. */
  find(name: string, caller: Caller): Found<Item> | undefined {
    const found = this.#all().get(name)
    return found && isVisible(found.item, caller) ? found : undefined
  }

  /** Every offer that this caller may use, by its name on this server. */
  *list(caller: Caller): Iterable<[name: string, item: Item]> {
    for (const [name, { item }] of this.#all()) if (isVisible(item, caller)) yield [name, item]
  }

  /** Every enabled offer. */
  found(): Iterable<Found<Item>> {
    return this.#all().values()
  }

  /** Mounts another registry under new names. */
  mount(registry: Registry<Item>, home: ServerHandler, rename: (name: string) => string): void {
    this.#mounted.push({ registry, home, rename })
    registry.#dependents.add(() => this.#invalidate())
    if (this.#isServing) registry.start()
    this.#invalidate()
  }

  #all(): ReadonlyMap<string, Found<Item>> {
    if (this.#view) return this.#view
    const view = new Map<string, Found<Item>>()
    for (const [name, { item, enabled, broken }] of this.#own)
      if (enabled && !broken) view.set(name, { item, name, home: undefined })
    for (const { registry, home, rename } of this.#mounted) {
      for (const [name, { item }] of registry.#all()) {
        // own offers win, then the first mount
        if (!view.has(rename(name))) view.set(rename(name), { item, name, home })
      }
    }
    this.#restricted = [...view.values()].some(({ item }) => item.visible !== undefined)
    this.#view = view
    return view
  }

  #prepare(name: string, own: Own<Item>): void {
    const { warn } = this.#options
    const hide = (error: unknown): void => {
      const why = error instanceof Error ? error.message : String(error)
      warn(`${capitalised(this.#what)} "${name}" is not offered: ${why}`)
      own.broken = true
      this.#invalidate()
    }
    try {
      const pending = own.item.prepare?.(warn)
      if (pending instanceof Promise) pending.catch(hide)
    } catch (error) {
      hide(error)
    }
  }

  #switch(name: string, enabled: boolean): void {
    const entry = this.#entry(name, enabled ? 'enable' : 'disable')
    if (entry.enabled === enabled) return
    entry.enabled = enabled
    this.#invalidate()
  }

  #entry(name: string, action: string) {
    const entry = this.#own.get(name)
    if (entry) return entry
    throw new McpError('Misuse', `Cannot ${action} ${this.#what} "${name}": there is none`)
  }

  #invalidate(): void {
    this.#view = undefined
    for (const tell of this.#dependents) tell()
    this.#options.changed()
  }
}

const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

function isVisible(item: Offer, caller: Caller): boolean {
  return item.visible === undefined || item.visible(caller)
}
