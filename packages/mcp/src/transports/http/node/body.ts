import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { ParseError, RpcError } from '../../../wire/errors.ts'
import type { Bodies } from '../bodies.ts'

type Done = (text: string | Error) => void

interface Arriving {
  readonly message: IncomingMessage
  readonly bodies: Bodies
  readonly done: Done
}

let arriving: Arriving[] = []

/**
 * Reads a body at the end of this turn of the event loop, when nearly every one is there whole, and together with all
 * others that came in this turn: served in a row they find our code in the processor's caches, where reading from and
 * writing to a socket in between would have driven it out.
 */
export function readBody(message: IncomingMessage, bodies: Bodies, done: Done): void {
  if (arriving.push({ message, bodies, done }) === 1) setImmediate(endOfTurn)
}

function endOfTurn(): void {
  const all = arriving
  arriving = []
  let next = 0
  try {
    for (const { message, bodies, done } of all) {
      next += 1
      if (message.complete) take(message, bodies, done)
      else collect(message, bodies, done)
    }
  } finally {
    // one that throws must not take along those behind it
    if (next < all.length) for (const { message, bodies, done } of all.slice(next)) readBody(message, bodies, done)
  }
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
