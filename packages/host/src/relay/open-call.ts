import { type Caller, type Fields, type LogMessage, type Progress, RpcError } from '@trunkline/mcp'
import type { ClientQuestion, InputRequired, RelayRequest, Rounds } from '@trunkline/mcp/relay'
import type { TaskContext } from '@trunkline/mcp/tasks'
import { type Deferred, deferred } from './deferred.ts'

/** A question to the caller that waits for its answer. */
interface Waiting {
  readonly question: ClientQuestion
  readonly signal: AbortSignal | undefined
  readonly isShared: boolean
  answer(answer: Fields): void
  refuse(reason: unknown): void
}

/** Most calls never ask anything; this map stays empty. */
const noQuestions = new Map<string, Waiting>()

/** Members of a request that a call needs of each of its rounds. */
export interface CallRound
  extends Pick<RelayRequest, 'method' | 'caller' | 'signal' | 'rounds' | 'ask' | 'progress' | 'log'> {
  readonly ctx: object
  /** Equal for rounds of the same connection; missing where each request stands alone. */
  readonly session?: object | undefined
}

/** Options of a question. */
export interface AskedAs {
  /** Withdraws it. */
  readonly signal?: AbortSignal | undefined
  /** Its name, where questions have names and the name is free. */
  readonly key?: string | undefined
  /** True if it may be about another call of the same caller, so that an answer is still of use when this one is over. */
  readonly isShared?: boolean | undefined
}

/** Reason of a call that the ending host broke off: its outcome at the server is not known. */
export class HostEnding extends Error {
  override readonly name = 'HostEnding'

  constructor() {
    super('The host is shutting down')
  }
}

/** End of a call; kept for a while, because a caller may come back for it twice. */
type Ending = { readonly result: Fields } | { readonly error: unknown }

/**
 * One logical call from its first round to its end. The work goes on while the caller is away to answer a question; a
 * cancel or disconnect ends it only while a round is attached.
 */
export class OpenCall {
  readonly id: string
  readonly caller: Caller
  /** Requests that were sent to a server for it. */
  sends = 0
  readonly #session: object | undefined
  readonly #hasRounds: boolean
  readonly #isHostEnding: () => boolean
  readonly #stop = new AbortController()
  #questions = noQuestions
  #attached: CallRound | undefined
  #task: Partial<TaskContext> | undefined
  #isBecomingTask = false
  #ending: Ending | undefined
  #mayComeBack = false
  #asked = 0
  // resolves when there is news for the caller; made when a caller waits for it
  #news: Deferred<void> | undefined

  constructor(id: string, { caller, rounds, session }: CallRound, isHostEnding = () => false) {
    this.id = id
    this.#isHostEnding = isHostEnding
    this.caller = caller
    this.#session = session
    this.#hasRounds = rounds !== undefined
  }

  /** True if two calls are of one caller: of one connection, or of one client in one project where there are none. */
  isOfCallerOf(other: OpenCall): boolean {
    if (this === other) return true
    if (this.#session || other.#session) return this.#session === other.#session
    const { principal, claims } = this.caller
    return (
      principal !== undefined &&
      principal === other.caller.principal &&
      claims?.project === other.caller.claims?.project
    )
  }

  /** True if its rounds are requests of their own, so that a caller that leaves may come back. */
  get isStateless(): boolean {
    return this.#hasRounds && !this.isTask
  }

  /** True if its caller has a task for it, so that its time is not limited. */
  get isTask(): boolean {
    return this.#task !== undefined
  }

  /** The task that its caller was given for it. */
  get taskId(): string | undefined {
    return this.#task?.taskId
  }

  /** Makes a task of the call, if its caller can take one and may have one more; true if it is one. */
  async becomeTask(): Promise<boolean> {
    if (this.#task || !this.#attached) return this.isTask
    this.#isBecomingTask = true
    try {
      await taskOf(this.#attached).detach?.()
    } catch (error) {
      if (!(error instanceof RpcError)) throw error
    } finally {
      this.#isBecomingTask = false
      this.#noteTask()
      this.#wake()
    }
    return this.isTask
  }

  /** Tells the caller of a task how it stands. */
  status(message: string): void {
    this.#task?.status?.(message)
  }

  /** Aborts when the result is no longer wanted. */
  get signal(): AbortSignal {
    return this.#stop.signal
  }

  /** True if a caller waits at the moment. */
  get isAttached(): boolean {
    return this.#attached !== undefined
  }

  get isOver(): boolean {
    return this.#ending !== undefined
  }

  /** True if the caller was given a state to come back with. */
  get mayComeBack(): boolean {
    return this.#mayComeBack
  }

  /** Starts the work, whose end is the end of the call. */
  start(work: Promise<Fields>): void {
    work.then(
      (result) => this.#end({ result }),
      (error: unknown) => this.#end({ error }),
    )
  }

  /** Asks the caller something, now or in its next round. */
  ask(question: ClientQuestion, { signal, key: wished, isShared = false }: AskedAs = {}): Promise<Fields> {
    const given = wished === undefined ? undefined : this.#attached?.rounds?.given(wished, question.method)
    if (given) return Promise.resolve(given)
    const { promise, resolve, reject } = deferred<Fields>()
    this.#asked += 1
    const key = wished === undefined || this.#questions.has(wished) ? `question-${this.#asked}` : wished
    const withdraw = (): void => {
      this.#questions.delete(key)
      reject(signal?.reason)
    }
    signal?.addEventListener('abort', withdraw, { once: true })
    if (this.#questions === noQuestions) this.#questions = new Map()
    this.#questions.set(key, { question, signal, isShared, answer: resolve, refuse: reject })
    this.#wake()
    return promise.finally(() => signal?.removeEventListener('abort', withdraw))
  }

  progress(report: Progress): void {
    this.#attached?.progress(report)
    // a task has no request that progress could belong to, so its status tells it
    if (this.#task) this.status(progressWords(report))
  }

  log(message: LogMessage): void {
    this.#attached?.log(message)
  }

  /** Serves one round: until the call is over, or until it ends with questions. */
  async attach(request: CallRound): Promise<Fields | InputRequired> {
    this.#answered(request.rounds?.resumed?.answers ?? {})
    this.#attached = request
    this.#noteTask()
    const abort = (): void => this.cancel(request.signal.reason)
    request.signal.addEventListener('abort', abort, { once: true })
    if (request.signal.aborted) abort()
    try {
      const { rounds } = request
      if (!rounds) return await this.#outright(request)
      // news while a task is made belong to the task: it is then the answer to the round
      while (this.#isBecomingTask || this.#hasNothingToTell()) await this.#somethingNew()
      if (this.#ending) return endingOf(this.#ending)
      return await (this.isTask ? this.#outright(request) : this.#require(rounds))
    } finally {
      request.signal.removeEventListener('abort', abort)
      if (this.#attached === request) this.#attached = undefined
    }
  }

  /** Aborts the call, since its result is no longer wanted. */
  cancel(reason: unknown): void {
    if (this.isOver) return this.#refuseAll(() => true)
    const cancelled = reason ?? new DOMException('The call was cancelled', 'AbortError')
    this.#stop.abort(this.#isHostEnding() ? new HostEnding() : cancelled)
  }

  #noteTask(): void {
    const request = this.#attached
    if (request?.method !== 'tools/call' || taskOf(request).taskId === undefined) return
    this.#task = taskOf(request)
  }

  #hasNothingToTell(): boolean {
    return !this.#ending && this.#questions.size === 0 && !this.isTask
  }

  #require(rounds: Rounds): Promise<InputRequired> {
    const questions = [...this.#questions].map(([key, { question }]) => [key, question] as const)
    this.#mayComeBack = true
    return rounds.require(Object.fromEntries(questions), this.id)
  }

  async #outright(request: CallRound): Promise<Fields> {
    while (!this.#ending) {
      for (const [key, { question, signal, answer, refuse }] of this.#questions) {
        this.#questions.delete(key)
        request.ask(question.method, question.params, { signal }).then(answer, refuse)
      }
      do await this.#somethingNew()
      while (this.#isBecomingTask)
    }
    return endingOf(this.#ending)
  }

  #answered(answers: { readonly [key: string]: Fields }): void {
    for (const [key, answer] of Object.entries(answers)) {
      this.#questions.get(key)?.answer(answer)
      this.#questions.delete(key)
    }
  }

  #end(ending: Ending): void {
    this.#ending = ending
    // a caller that was given a question that may be about another call brings its answer here
    this.#refuseAll(({ isShared }) => !(isShared && this.#mayComeBack && !this.isAttached))
    this.#wake()
  }

  #refuseAll(isVain: (waiting: Waiting) => boolean): void {
    for (const [key, waiting] of this.#questions) {
      if (!isVain(waiting)) continue
      this.#questions.delete(key)
      waiting.refuse(new Error('The call is over'))
    }
  }

  #somethingNew(): Promise<void> {
    this.#news ??= deferred()
    return this.#news.promise
  }

  #wake(): void {
    const news = this.#news
    this.#news = undefined
    news?.resolve()
  }
}

function progressWords({ progress, total, message }: Progress): string {
  const reached = total === undefined ? `${progress}` : `${progress} of ${total}`
  return message === undefined ? reached : `${message}, ${reached}`
}

function endingOf(ending: Ending): Fields {
  if ('error' in ending) throw ending.error
  return ending.result
}

/** Members that tasks add to the context of a request. */
function taskOf({ ctx }: CallRound): Partial<TaskContext> {
  return ctx as Partial<TaskContext>
}
