import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { ParseError, RpcError } from '../../../wire/errors.ts'
import type { BodyLimits } from '../server/body-limits.ts'
import { HttpRefusal } from '../server/request-reply.ts'
import { atEndOfTurn } from './event-loop-turn.ts'

type Done = (text: string | Error) => void

/** Reads a body at the end of this turn, when nearly every one is there whole. */
export function readRequestBody(message: IncomingMessage, bodies: BodyLimits, done: Done): void {
  atEndOfTurn(() => {
    if (message.destroyed) done(brokenOff())
    else if (message.complete) take(message, bodies, done)
    else collect(message, bodies, done)
  })
}

function take(message: IncomingMessage, bodies: BodyLimits, done: Done): void {
  const bytes: Buffer | null = message.read()
  if (bytes === null) done('')
  else done(bytes.length > bodies.maxBytes ? bodies.tooLarge() : decode(bytes))
}

function collect(message: IncomingMessage, bodies: BodyLimits, done: Done): void {
  const chunks: Buffer[] = []
  let size = 0
  const hold = (chunk: Buffer): void => {
    const refusal = size + chunk.length > bodies.maxBytes ? bodies.tooLarge() : bodies.hold(chunk.length)
    if (refusal) return finish(refusal)
    size += chunk.length
    chunks.push(chunk)
  }
  const end = (): void => finish(decode(Buffer.concat(chunks, size)))
  const close = (): void => finish(brokenOff())
  const finish = (outcome: string | Error): void => {
    message.off('data', hold).off('end', end).off('close', close)
    bodies.release(size)
    done(outcome)
  }
  message.on('data', hold).on('end', end).on('close', close)
}

// nobody is there to read it, but somebody may be waiting for the outcome
function brokenOff(): HttpRefusal {
  return new HttpRefusal(400, 'Bad request: the body broke off')
}

/** The text of a body, or why it has none. */
export function decode(bytes: Buffer): string | RpcError {
  if (isUtf8(bytes)) return bytes.toString('utf8')
  return new RpcError(ParseError, 'Cannot read message: the body is not UTF-8', { reason: 'encoding' })
}
