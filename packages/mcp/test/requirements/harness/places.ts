import type { Transport } from '../requirement.ts'
import { http, httpSession, httpSse, websocket } from './http.ts'
import { memory } from './memory.ts'
import type { Place } from './place.ts'
import { stdio } from './stdio.ts'

const all: readonly (readonly [Transport, Place])[] = [
  ['memory', memory],
  ['stdio', stdio],
  ['http', http],
  ['http-session', httpSession],
  ['http-sse', httpSse],
  ['websocket', websocket],
]

/** True if several processes serve, which only HTTP reaches. */
export const isCluster = process.env.CLUSTER !== undefined

/** The transports over which requirements are verified. */
export const places = isCluster ? all.filter(([transport]) => /^http/.test(transport)) : all
