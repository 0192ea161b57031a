import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { GrowingBuffer } from '@trunkline/base/growing-buffer'
import { ParseError, RpcError } from '../../../wire/errors.ts'
import type { BodyLimits } from '../server/body-limits.ts'
import { alreadyRead } from '../server/read-posted.ts'
import { HttpRefusal } from '../server/refusals.ts'
import { atEndOfTurn } from './event-loop-turn.ts'

type Done = (text: string | Error) => void

/** Reads a body at the end of this turn, when it has usually arrived completely. */
export function readRequestBody(message: IncomingMessage, bodies: BodyLimits, done: Done): void {
  // a chunked body may come in single bytes, each with the overhead of a buffer
  if (message.headers['transfer-encoding'] !== undefined) return new ArrivingBody(message, bodies).read(done)
  atEndOfTurn(() => {
    if (message.destroyed) done(brokenOff())
    else if (message.complete) take(message, bodies, done)
    else new ArrivingBody(message, bodies).read(done)
  })
}

function take(message: IncomingMessage, bodies: BodyLimits, done: Done): void {
  const bytes: Buffer | null = message.read()
  if (bytes === null) done('')
  else done(bytes.length > bodies.maxBytes ? bodies.tooLarge() : decode(bytes))
}

/** A body that is buffered as it arrives, within the limits, until it is read. */
export class ArrivingBody {
  readonly #message: IncomingMessage
  readonly #bodies: BodyLimits
  readonly #arrived: GrowingBuffer
  #held = 0
  #outcome: string | Error | undefined
  #isTaken = false
  #done: Done | undefined

  constructor(message: IncomingMessage, bodies: BodyLimits) {
    this.#message = message
    this.#bodies = bodies
    this.#arrived = new GrowingBuffer(bodies.maxBytes)
    if (message.destroyed) this.#finish(brokenOff())
    else message.on('data', this.#add).on('end', this.#end).on('close', this.#close)
  }

  /** Calls back with the text, or with an error. */
  read(done: Done): void {
    if (this.#isTaken) return done(alreadyRead())
    const outcome = this.#outcome
    this.#done = done
    if (outcome === undefined) return
    this.drop()
    done(outcome)
  }

  /** Releases the buffer. */
  drop(): void {
    if (this.#isTaken) return
    this.#isTaken = true
    this.#outcome = undefined
    this.#stop()
    this.#arrived.take()
    this.#bodies.release(this.#held)
    this.#held = 0
  }

  readonly #add = (chunk: Buffer): void => {
    const growth = this.#arrived.growth(chunk.length)
    const size = this.#arrived.length + chunk.length
    const refusal = size > this.#bodies.maxBytes ? this.#bodies.tooLarge() : this.#bodies.hold(growth)
    if (refusal) return this.#finish(refusal)
    this.#held += growth
    this.#arrived.add(chunk)
  }

  readonly #end = (): void => {
    const { buffer, byteOffset, length } = this.#arrived.take()
    this.#finish(decode(Buffer.from(buffer, byteOffset, length)))
  }

  readonly #close = (): void => this.#finish(brokenOff())

  #finish(outcome: string | Error): void {
    this.#outcome = outcome
    this.#stop()
    if (this.#done) this.read(this.#done)
  }

  #stop(): void {
    this.#message.off('data', this.#add).off('end', this.#end).off('close', this.#close)
  }
}

// the connection is gone, but a waiter needs a result
function brokenOff(): HttpRefusal {
  return new HttpRefusal(400, 'Bad request: the body is incomplete')
}

/** Decodes a body as UTF-8; returns an error when it is not. */
export function decode(bytes: Buffer): string | RpcError {
  if (isUtf8(bytes)) return bytes.toString('utf8')
  return new RpcError(ParseError, 'Cannot read message: the body is not UTF-8', { reason: 'encoding' })
}
