import type { Transport } from '../requirement.ts'
import { http, httpSession, httpSse, websocket } from './http.ts'
import { memory } from './memory.ts'
import type { Place } from './place.ts'
import { stdio } from './stdio.ts'

/** The transports over which requirements are verified. */
export const places: readonly (readonly [Transport, Place])[] = [
  ['memory', memory],
  ['stdio', stdio],
  ['http', http],
  ['http-session', httpSession],
  ['http-sse', httpSse],
  ['websocket', websocket],
]
