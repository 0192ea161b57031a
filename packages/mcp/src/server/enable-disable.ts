import type { Offer, Registry } from './registry.ts'

/** Enables, disables and removes offers of one kind. */
export interface OfferControls {
  /** True if an offer of this name exists and is enabled. */
  has(name: string): boolean
  /** Hides an offer from all callers until it is enabled again. */
  disable(name: string): void
  enable(name: string): void
  /** Removes an offer. */
  remove(name: string): void
}

/** The public controls of a registry. */
export function offerControls<Item extends Offer>(registry: Registry<Item>): OfferControls {
  return {
    has: (name) => registry.has(name),
    disable: (name) => registry.disable(name),
    enable: (name) => registry.enable(name),
    remove: (name) => registry.remove(name),
  }
}
