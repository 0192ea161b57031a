import type { Caller, ServerHandler } from '../dialects/dialect.ts'
import { McpError } from '../wire/errors.ts'

/** Anything a server offers by name. */
export interface Offer {
  /** Who may see and use it. @default everybody */
  readonly visible?: ((caller: Caller) => boolean) | undefined
  /** What a caller needs to use it, where scopes are known. @default nothing */
  readonly scopes?: readonly string[] | undefined
  /** Works out what it takes to show it; fails when it cannot be shown, and warns of what may not work. */
  prepare?(warn: Warn): Promise<void> | undefined | void
}

/** Tells the author of a server something. */
export type Warn = (message: string) => void

/** Where an offer was found: its name at home, and who serves it when that is a mounted server. */
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
  /** Whether it turned out that it cannot be shown to anybody. */
  broken: boolean
}

export interface RegistryOptions {
  /** Called when something else is offered than before. */
  changed(): void
  readonly warn: Warn
}

/** Named offers in the order they were made, some of them switched off, some of them another server's. */
export class Registry<Item extends Offer> {
  readonly #what: string
  readonly #options: RegistryOptions
  readonly #own = new Map<string, Own<Item>>()
  readonly #mounted: Mounted<Item>[] = []
  readonly #dependents = new Set<() => void>()
  // rebuilt when something changes, so that finding and listing cost the same whatever is mounted
  #view: ReadonlyMap<string, Found<Item>> | undefined
  #restricted = false
  #isServing = false

  constructor(what: string, options: RegistryOptions) {
    this.#what = what
    this.#options = options
  }

  /** Gets everything ready to be shown, from now on; what cannot be is hidden, and its author is told why. */
  start(): void {
    if (this.#isServing) return
    this.#isServing = true
    for (const [name, own] of this.#own) this.#prepare(name, own)
    for (const { registry } of this.#mounted) registry.start()
  }

  add(name: string, item: Item): void {
    if (name === '') throw new McpError('Misuse', `Cannot add a ${this.#what} without a name`)
    if (this.#own.has(name)) throw new McpError('Misuse', `Cannot add ${this.#what} "${name}": it is there already`)
    const own = { item, enabled: true, broken: false }
    this.#own.set(name, own)
    if (this.#isServing) this.#prepare(name, own)
    this.#invalidate()
  }

  /** Takes an offer away for good. */
  remove(name: string): void {
    this.#entry(name, 'remove')
    this.#own.delete(name)
    this.#invalidate()
  }

  /** Announces that what an offer stands for is not what it was. */
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

  /** Whether an offer of this name is there and enabled. */
  has(name: string): boolean {
    return this.#all().has(name)
  }

  get size(): number {
    return this.#all().size
  }

  /** Whether some callers see less than others. */
  get restricted(): boolean {
    this.#all()
    return this.#restricted
  }

  /** An offer this caller may use. */
  find(name: string, caller: Caller): Found<Item> | undefined {
    const found = this.#all().get(name)
    return found && isVisible(found.item, caller) ? found : undefined
  }

  /** Every offer this caller may use, by the name it has here. */
  *list(caller: Caller): Iterable<[name: string, item: Item]> {
    for (const [name, { item }] of this.#all()) if (isVisible(item, caller)) yield [name, item]
  }

  /** Every enabled offer, for looking through them. */
  found(): Iterable<Found<Item>> {
    return this.#all().values()
  }

  /** Offers everything another registry offers, under names of our own, for as long as it does. */
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
        // what is our own wins, then what was mounted first
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
