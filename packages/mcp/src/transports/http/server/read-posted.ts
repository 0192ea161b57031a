import { type Reading, readMessages, readValue } from '../../../wire/read-messages.ts'
import type { BodyLimits } from './body-limits.ts'
import type { HttpRequest } from './request-reply.ts'

/** Reads the messages of a POST: from its text, or from a body that a framework has parsed. */
export function readPosted(request: HttpRequest, bodies: BodyLimits, done: (reading: Reading | Error) => void): void {
  const { parsed } = request
  if (parsed !== undefined) return done(readValue(parsed))
  const finished = bodies.begin()
  request.text(bodies, (text) => {
    finished()
    done(typeof text === 'string' ? readMessages(text) : text)
  })
}

/** The error when a middleware has read the body and did not pass it on. */
export function alreadyRead(): Error {
  return new Error('Cannot read the body: a middleware has read it and did not pass the result on')
}
