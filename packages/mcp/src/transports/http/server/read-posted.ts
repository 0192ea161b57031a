import { type Reading, readMessages, readValue } from '../../../wire/read-messages.ts'
import type { BodyLimits } from './body-limits.ts'
import type { HttpRequest } from './request-reply.ts'

/** Reads what was posted, once: its text, or what a framework has made of that before us. */
export function readPosted(request: HttpRequest, bodies: BodyLimits, done: (reading: Reading | Error) => void): void {
  const { parsed } = request
  if (parsed !== undefined) return done(readValue(parsed))
  const finished = bodies.begin()
  request.text(bodies, (text) => {
    finished()
    done(typeof text === 'string' ? readMessages(text) : text)
  })
}

/** Why a body cannot be read: a middleware took it and did not say what was in it. */
export function alreadyRead(): Error {
  return new Error('Cannot read the body: something before this handler has read it and left nothing in its place')
}
