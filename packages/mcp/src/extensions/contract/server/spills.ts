import { randomId } from '@trunkline/base/random-id'
import { spillPlace } from '#contract'
import type { Caller } from '../../../dialects/dialect.ts'
import { runAtTime } from '../../../rpc/run-at-time.ts'
import { McpError } from '../../../wire/errors.ts'
import { kindOf } from '../../../wire/kind-of.ts'
import type { ContractLimits } from '../contract-limits.ts'
import type { Spilled } from '../spilled.ts'
import type { SpillFile } from './spill-file.ts'
import type { KeptBytes } from './spill-reader.ts'
import { type HeadAndTail, SpillWriter } from './spill-writer.ts'

/** Source of the bytes of a result: a stream, or pieces. */
export type SpillSource = AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>

/** A result that is kept for its caller. */
interface KeptResult extends KeptBytes {
  readonly file: SpillFile
  readonly principal: string | undefined
  readonly mimeType: string
  readonly isText: boolean
  readonly callOff: () => void
}

/** Outcome of a source: its ends and the address of all of it, or all of it where it is small. */
export type SpillOutcome =
  | { readonly whole: string }
  | { readonly whole?: never; readonly spilled: Spilled; readonly ends: HeadAndTail; readonly isText: boolean }

interface KeepOptions {
  readonly caller: Caller
  readonly signal: AbortSignal
  readonly mimeType?: string | undefined
}

/** The results of a server that were too large to answer with, each for its caller and for a while. */
export class Spills {
  readonly #limits: Required<ContractLimits>
  readonly #kept = new Map<string, KeptResult>()
  // what is being written counts as well
  #bytes = 0
  #files = 0

  constructor(limits: Required<ContractLimits>) {
    this.#limits = limits
  }

  /** The bytes of JSON that a result may have. */
  get maxResultBytes(): number {
    return this.#limits.maxResultBytes
  }

  /** The bytes of text that are answered with as they are, since JSON takes more than those. */
  get maxTextBytes(): number {
    return Math.floor(this.#limits.maxResultBytes / 2)
  }

  /** Reads a source to its end, and keeps it unless it is small; what fails half way leaves nothing behind. */
  async keep(source: SpillSource, options: KeepOptions): Promise<SpillOutcome> {
    const written = await this.#write(source, options)
    const { isText, size, ends } = written
    if (!isText || size > this.maxTextBytes) return { spilled: this.#add(written, options), ends, isText }
    const { file } = written.kept
    const whole = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await file.read(0, size))
    await this.#close(file, size)
    return { whole }
  }

  /** Keeps a text, small or not. */
  async keepText(text: string, options: KeepOptions): Promise<Spilled> {
    return this.#add(await this.#write([text], options), options)
  }

  /** A kept result of a caller; to others it is unknown. */
  find(id: string, { principal }: Caller): KeptResult | undefined {
    const kept = this.#kept.get(id)
    return kept?.principal === principal ? kept : undefined
  }

  async close(): Promise<void> {
    await Promise.all([...this.#kept.keys()].map((id) => this.#drop(id)))
  }

  async #write(source: SpillSource, { caller, signal }: KeepOptions): Promise<SpillWriter> {
    const pieces = piecesOf(source)
    const file = await this.#open(caller)
    const writer = new SpillWriter(file, Math.floor(this.#limits.maxResultBytes / 4))
    let counted = 0
    try {
      for await (const piece of pieces) {
        signal.throwIfAborted()
        const bytes = bytesOf(piece)
        this.#count(bytes.length, caller)
        counted += bytes.length
        await writer.write(bytes)
      }
      await writer.end()
      return writer
    } catch (error) {
      await this.#close(file, counted)
      throw error
    }
  }

  async #open(caller: Caller): Promise<SpillFile> {
    const { maxSpills } = this.#limits
    const [oldest] = this.#files >= maxSpills ? this.#of(caller) : []
    if (oldest !== undefined) void this.#drop(oldest)
    if (this.#files >= maxSpills)
      throw new McpError('TooMany', `Cannot store the result: at most ${maxSpills} large results are stored`)
    this.#files++
    try {
      return await spillPlace.open()
    } catch (error) {
      this.#files--
      throw error
    }
  }

  #close(file: SpillFile, bytes: number): Promise<void> {
    this.#files--
    this.#bytes -= bytes
    return file.close()
  }

  #count(bytes: number, caller: Caller): void {
    const most = Math.min(this.#limits.maxSpilledBytes, spillPlace.maxBytes)
    // only results of the same caller are deleted to make room
    const older = this.#bytes + bytes > most ? this.#of(caller) : []
    while (this.#bytes + bytes > most && older.length > 0) void this.#drop(older.shift() as string)
    if (this.#bytes + bytes > most)
      throw new McpError('TooMany', `Cannot store the result: at most ${most} bytes of large results are stored`)
    this.#bytes += bytes
  }

  #add({ kept, isText }: SpillWriter, { caller, mimeType = typeOf(isText) }: KeepOptions): Spilled {
    const { maxSpillAgeMs, maxSpillsPerCaller } = this.#limits
    const older = this.#of(caller)
    while (older.length >= Math.max(1, maxSpillsPerCaller)) void this.#drop(older.shift() as string)
    const id = randomId(33)
    const expiresAt = Date.now() + maxSpillAgeMs
    const callOff = runAtTime(expiresAt, () => void this.#drop(id))
    this.#kept.set(id, { ...kept, principal: caller.principal, mimeType, isText, callOff })
    const uri = `contract:///results/${id}`
    return { uri, bytes: kept.size, mimeType, expiresAt: new Date(expiresAt).toISOString() }
  }

  #of({ principal }: Caller): string[] {
    return [...this.#kept].filter(([, kept]) => kept.principal === principal).map(([id]) => id)
  }

  async #drop(id: string): Promise<void> {
    const kept = this.#kept.get(id)
    if (!kept) return
    this.#kept.delete(id)
    kept.callOff()
    await this.#close(kept.file, kept.size)
  }
}

function typeOf(isText: boolean): string {
  return isText ? 'text/plain' : 'application/octet-stream'
}

function piecesOf(source: SpillSource): SpillSource {
  if (typeof source === 'string' || source instanceof Uint8Array) return [source]
  if (typeof source === 'object' && source !== null && (Symbol.asyncIterator in source || Symbol.iterator in source))
    return source
  throw new McpError(
    'Misuse',
    `Cannot spill a result: give a stream or a list of texts and bytes, not ${kindOf(source)}`,
  )
}

function bytesOf(piece: unknown): Uint8Array {
  if (typeof piece === 'string') return new TextEncoder().encode(piece)
  if (piece instanceof Uint8Array) return piece
  throw new McpError('Misuse', `Cannot spill a result: its pieces must be texts or bytes, not ${kindOf(piece)}`)
}
