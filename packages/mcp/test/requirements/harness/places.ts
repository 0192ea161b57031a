import type { Transport } from '../requirement.ts'
import { memory } from './memory.ts'
import type { Place } from './place.ts'
import { stdio } from './stdio.ts'

/** The transports over which requirements are verified. */
export const places: readonly (readonly [Transport, Place])[] = [
  ['memory', memory],
  ['stdio', stdio],
]
