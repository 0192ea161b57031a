import type { Offer, Registry } from './registry.ts'

/** What can be done with a kind of offers once they are made. */
export interface OfferControls {
  /** Whether an offer of this name is there and enabled. */
  has(name: string): boolean
  /** Hides an offer from everybody until it is enabled again. */
  disable(name: string): void
  enable(name: string): void
  /** Takes an offer away for good. */
  remove(name: string): void
}

/** Lets authors switch offers, and nothing else of the registry. */
export function offerControls<Item extends Offer>(registry: Registry<Item>): OfferControls {
  return {
    has: (name) => registry.has(name),
    disable: (name) => registry.disable(name),
    enable: (name) => registry.enable(name),
    remove: (name) => registry.remove(name),
  }
}
