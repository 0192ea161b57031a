import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { ParseError, RpcError } from '../../../wire/errors.ts'
import type { Bodies } from '../bodies.ts'
import { atEndOfTurn } from './turn.ts'

type Done = (text: string | Error) => void

/** Reads a body at the end of this turn, when nearly every one is there whole. */
export function readBody(message: IncomingMessage, bodies: Bodies, done: Done): void {
  atEndOfTurn(() => {
    if (message.complete) take(message, bodies, done)
    else collect(message, bodies, done)
  })
}

function take(message: IncomingMessage, bodies: Bodies, done: Done): void {
  // whoever has left in the meantime needs no answer
  if (message.destroyed) return
  const bytes: Buffer | null = message.read()
  if (bytes === null) done('')
  else done(bytes.length > bodies.maxBytes ? bodies.tooLarge() : decode(bytes))
}

// a body that breaks off needs no answer, so nobody waits for that
function collect(message: IncomingMessage, bodies: Bodies, done: Done): void {
  const chunks: Buffer[] = []
  let size = 0
  let held = 0
  const hold = (chunk: Buffer): void => {
    size += chunk.length
    if (held === 0) message.once('close', () => bodies.release(held))
    const refusal = size > bodies.maxBytes ? bodies.tooLarge() : bodies.hold(chunk.length)
    if (refusal) {
      message.off('data', hold).off('end', end)
      return done(refusal)
    }
    held += chunk.length
    chunks.push(chunk)
  }
  const end = (): void => done(decode(Buffer.concat(chunks, size)))
  message.on('data', hold).on('end', end)
}

/** The text of a body, or why it has none. */
export function decode(bytes: Buffer): string | RpcError {
  if (isUtf8(bytes)) return bytes.toString('utf8')
  return new RpcError(ParseError, 'Cannot read message: the body is not UTF-8', { reason: 'encoding' })
}
