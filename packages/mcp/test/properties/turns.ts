import { setImmediate } from 'node:timers/promises'

/** Numbers that look random and come again with the same seed, each below `limit`. */
export function numbers(seed: number): (limit: number) => number {
  let state = seed | 0
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit
  }
}

/** Lets others go first: a turn of the event loop for every third step, a microtask for the rest. */
export async function turns(steps: number): Promise<void> {
  for (let step = 1; step <= steps; step++) await (step % 3 === 0 ? setImmediate() : undefined)
}
