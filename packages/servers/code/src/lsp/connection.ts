import { FramingError, frame, MessageFramer } from './framing.ts'
import type { ProgramGroup } from './program-group.ts'

/** Receives what a language server asks and tells its client. */
export interface ConnectionHandlers {
  /** Answers a request of the server; undefined for a method that it does not know. */
  answer(method: string, params: unknown): { readonly result: unknown } | undefined
  notified(method: string, params: unknown): void
}

/** Limits of a connection. */
export interface ConnectionLimits {
  readonly maxMessageBytes: number
  readonly requestMs: number
  /** Requests in a row that may stay without any message of the server before it counts as hanging. */
  readonly maxUnanswered: number
}

/** An answer that a language server refuses or does not give. */
export class LspError extends Error {
  override readonly name = 'LspError'
  /** Code of the server's own error; undefined where it gave no answer. */
  readonly code: number | undefined

  constructor(message: string, code?: number) {
    super(message)
    this.code = code
  }
}

interface Pending {
  readonly method: string
  resolve(result: unknown): void
  reject(error: Error): void
}

/** Requests and notifications over the standard streams of a language server. */
export class LspConnection {
  /** Resolves with a sentence when nothing more can be asked. */
  readonly closed: Promise<string>
  readonly #program: ProgramGroup
  readonly #limits: ConnectionLimits
  readonly #handlers: ConnectionHandlers
  readonly #pending = new Map<number, Pending>()
  #close: (why: string) => void = () => {}
  #why: string | undefined
  #lastId = 0
  #unanswered = 0

  constructor(program: ProgramGroup, handlers: ConnectionHandlers, limits: ConnectionLimits) {
    this.#program = program
    this.#handlers = handlers
    this.#limits = limits
    this.closed = new Promise((resolve) => {
      this.#close = resolve
    })
    const framer = new MessageFramer(limits.maxMessageBytes)
    program.process.stdout.on('data', (bytes: Uint8Array) => this.#read(framer, bytes))
    void program.ended.then((why) => this.close(why))
  }

  /** Asks the server; rejects at its deadline, when the caller aborts, and when the server ends. */
  async request(method: string, params: unknown, options: { signal?: AbortSignal; timeoutMs?: number } = {}) {
    const { signal, timeoutMs = this.#limits.requestMs } = options
    signal?.throwIfAborted()
    if (this.#why !== undefined) throw new LspError(this.#why)
    const id = ++this.#lastId
    const cancel = (error: Error): void => {
      const pending = this.#pending.get(id)
      if (!pending) return
      this.#pending.delete(id)
      this.notify('$/cancelRequest', { id })
      pending.reject(error)
    }
    const aborted = (): void => cancel(signal?.reason as Error)
    const timer = setTimeout(() => {
      cancel(new LspError(`it did not answer "${method}" within ${timeoutMs} ms`))
      if (++this.#unanswered >= this.#limits.maxUnanswered)
        this.close(`it left ${this.#unanswered} requests unanswered`)
    }, timeoutMs)
    signal?.addEventListener('abort', aborted)
    try {
      return await new Promise<unknown>((resolve, reject) => {
        this.#pending.set(id, { method, resolve, reject })
        this.#send({ id, method, params })
      })
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', aborted)
    }
  }

  notify(method: string, params: unknown): void {
    this.#send({ method, params })
  }

  /** Rejects all that waits, and whatever is asked from now on. */
  close(why: string): void {
    if (this.#why !== undefined) return
    this.#why = why
    for (const { reject } of this.#pending.values()) reject(new LspError(why))
    this.#pending.clear()
    this.#close(why)
  }

  #send(message: object): void {
    if (this.#why === undefined) this.#program.process.stdin.write(frame({ jsonrpc: '2.0', ...message }))
  }

  #read(framer: MessageFramer, bytes: Uint8Array): void {
    if (this.#why !== undefined) return
    this.#unanswered = 0
    try {
      for (const framed of framer.push(bytes)) {
        if ('message' in framed) this.#receive(framed.message as Received)
        else this.#drop(framed.droppedBytes, framed.id)
      }
    } catch (error) {
      if (!(error instanceof FramingError)) throw error
      this.close(error.message)
    }
  }

  #drop(bytes: number, id: number | undefined): void {
    const pending = this.#pending.get(id ?? 0)
    this.#pending.delete(id ?? 0)
    const { maxMessageBytes } = this.#limits
    pending?.reject(new LspError(`it answered "${pending.method}" with ${bytes} bytes, more than ${maxMessageBytes}`))
  }

  #receive(message: Received): void {
    if (typeof message !== 'object' || message === null) return
    const { id, method, params, result, error } = message
    if (typeof method === 'string') {
      if (id === undefined) return this.#handlers.notified(method, params)
      const answered = this.#handlers.answer(method, params)
      return this.#send(answered ? { id, ...answered } : { id, error: { code: -32601, message: 'Method not found' } })
    }
    const pending = this.#pending.get(id as number)
    this.#pending.delete(id as number)
    if (error) pending?.reject(new LspError(`${error.message}`.slice(0, 300), error.code))
    else pending?.resolve(result)
  }
}

interface Received {
  readonly id?: number | string
  readonly method?: unknown
  readonly params?: unknown
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: unknown }
}
