/** Random numbers that are the same for the same seed. */
export interface Random {
  /** A whole number from 0 up to, but not including, another. */
  below(most: number): number
  /** One of some items. */
  pick<Item>(items: readonly [Item, ...Item[]]): Item
}

/** Makes random numbers from a seed (mulberry32). */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (most: number): number => Math.floor(next() * most)
  return { below, pick: (items) => items[below(items.length)] ?? items[0] }
}
