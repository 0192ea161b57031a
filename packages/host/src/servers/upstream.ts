import { Slots, SlotsFull } from '@trunkline/base/slots'
import type { Client, LogLevel } from '@trunkline/mcp'
import { type ServerKey, serverNameOf } from '../act/server-key.ts'
import { Breaker } from './breaker.ts'
import { type Connected, openServer } from './open-server.ts'
import { Refusals } from './sandbox/refusals.ts'
import type { SandboxedLaunch } from './sandbox/sandbox.ts'
import { missingInWords, type ServerSpec, specDefaults } from './server-spec.ts'
import { type LogLine, StderrRing } from './stderr-ring.ts'
import { Throttle } from './throttle.ts'
import { UnusableAnswers } from './unusable-answers.ts'
import { UpstreamError } from './upstream-error.ts'
import type { UpstreamParts } from './upstream-parts.ts'
import type { UpstreamState, UpstreamStatus } from './upstream-status.ts'

const personHasTo = 'a person has to see to that at the host'

/** One server in its own bulkhead: started when needed, restarted when it fails, and never more than its share. */
export class Upstream {
  #spec: ServerSpec
  readonly log = new StderrRing()
  readonly #parts: UpstreamParts
  readonly #breaker: Breaker
  readonly #calls: Slots
  readonly #leftOut = new UnusableAnswers()
  /** Counts its unasked messages, over all its connections. */
  readonly #throttle = new Throttle({
    rates: () => ({ ...specDefaults, ...this.spec }),
    onChange: (why) => this.#throttled(why),
  })
  #state: UpstreamState = 'waiting'
  #why = 'starts with the first call'
  #since = Date.now()
  #starts = 0
  #opening: Promise<Connected> | undefined
  #sandbox: SandboxedLaunch | undefined
  #refusals: Refusals | undefined
  #connected: Connected | undefined
  #idle: NodeJS.Timeout | undefined
  #retry: NodeJS.Timeout | undefined
  /** Ends a start that is under way. */
  #abandon = new AbortController()
  /** Called when the last call has ended, if set. */
  #onUnused: (() => void) | undefined

  constructor(spec: ServerSpec, parts: UpstreamParts) {
    this.#spec = spec
    this.#parts = parts
    this.#breaker = new Breaker(spec.breaker)
    const { maxCalls = specDefaults.maxCalls, maxWaitingCalls = specDefaults.maxWaitingCalls } = spec
    this.#calls = new Slots(maxCalls, maxWaitingCalls)
    if (spec.launch.kind === 'unresolved') this.#enter('needs you', missingInWords(spec.launch))
    else if (this.#runsUnasked) this.#startSoon(0)
  }

  get name(): ServerKey {
    return this.spec.name
  }

  /** The current spec. */
  get spec(): ServerSpec {
    return this.#spec
  }

  /** Goes on with other limits and times; settings that need a restart stay as it was started. */
  adjust(spec: ServerSpec): void {
    const { isConnected } = this
    const wasEager = this.spec.eager
    this.#spec = spec
    this.#calls.most = spec.maxCalls ?? specDefaults.maxCalls
    if (isConnected) this.#watchIdle()
    if (spec.eager && !wasEager && !isConnected && this.#state !== 'stopped') this.#startSoon(this.#breaker.waitMs)
  }

  /** Parts of its answers that were unusable and left out since it was last started, each with the reason. */
  get unusable(): readonly string[] {
    return this.#leftOut.all
  }

  get status(): UpstreamStatus {
    return {
      name: this.name,
      state: this.#state,
      why: this.#state === 'ready' ? inWords(this.#throttle.why, this.#why, this.#leftOut.says) : this.#why,
      since: this.#since,
      starts: this.#starts,
      waitMs: this.#breaker.waitMs,
      pid: this.#connected?.pid,
      calls: this.#calls.taken,
      throttled: this.#throttle.why,
    }
  }

  /** Refusals of its sandbox; undefined while it has none. */
  get refusals(): Refusals | undefined {
    return this.#refusals
  }

  /** The connection, where there is one. */
  get connection(): Client | undefined {
    return this.#connected?.client
  }

  /** The connection, made when there is none; rejects at once where trying would be in vain. */
  async client(): Promise<Client> {
    return (await this.#ready()).client
  }

  /** Does something with the server, in one of its places. */
  async run<Result>(work: (client: Client) => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    signal?.throwIfAborted()
    const release = this.#calls.takeFree() ?? (await this.#place(this.#calls, signal))
    clearTimeout(this.#idle)
    try {
      return await work(this.#connected?.client ?? (await this.#clientSignedIn(signal)))
    } finally {
      release()
      if (this.#calls.taken === 0) this.#onUnused?.()
      this.#watchIdle()
    }
  }

  /** True while there is a connection. */
  get isConnected(): boolean {
    return this.#connected !== undefined
  }

  /** Takes a warning about its answers: it stands in the log, and the part that was left out is remembered. */
  warned(warning: string): void {
    this.#leftOut.note(warning)
    this.note(`(host) ${warning}`)
  }

  /** Adds a line to its log that it did not write to stderr. */
  note(line: string, level?: LogLevel): void {
    this.#noted(this.log.addLine(line, level))
  }

  /** Marks that a person has to do something before the server can be used. */
  needsYou(why: string): void {
    if (this.#state !== 'stopped') this.#enter('needs you', why)
  }

  /** Continues calls that waited for the sign-in. */
  signedIn(): void {
    if (this.#state === 'stopped') return
    this.#breaker.reset()
    if (this.#connected) this.#enterReady()
    else this.#startSoon(0)
  }

  /** Ends the connection, which used the account that has signed out. */
  async signedOut(): Promise<void> {
    await this.#close()
    if (this.#state !== 'stopped') this.#enter('waiting', 'signed out; somebody has to sign in again')
  }

  /** Ends the server; only `restart` starts it again. */
  async stop(why = 'stopped by hand'): Promise<void> {
    this.#enter('stopped', why)
    this.#abandon.abort(this.#error('stopped', `it is stopped: ${why}`))
    await this.#close()
  }

  /** Ends the server when the calls that are under way have ended, or after a while. */
  async retire(why: string, waitMs: number): Promise<void> {
    if (this.#calls.taken > 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, waitMs).unref()
        this.#onUnused = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
    await this.stop(why)
  }

  /** Ends the server and starts it anew, whatever went wrong before. */
  async restart(): Promise<void> {
    this.#breaker.reset()
    this.#abandon.abort(this.#error('stopped', 'it is restarted by hand'))
    await this.#close()
    this.#enter('waiting', 'restarted by hand')
    await this.client()
  }

  /** The connection for a call, which waits while the person signs in. */
  async #clientSignedIn(signal: AbortSignal | undefined): Promise<Client> {
    const { whenSignedIn } = this.#parts.connecting
    for (;;) {
      await whenSignedIn?.(this.spec, signal)
      try {
        return await this.client()
      } catch (error) {
        const isSignIn = error instanceof UpstreamError && error.problem === 'sign in'
        if (!isSignIn || !whenSignedIn?.(this.spec, signal)) throw error
      }
    }
  }

  #ready(): Promise<Connected> {
    if (this.#connected) return Promise.resolve(this.#connected)
    if (this.#opening) return this.#opening
    const refusal = this.#refusal()
    if (refusal) return Promise.reject(refusal)
    this.#opening = this.#open().finally(() => {
      this.#opening = undefined
    })
    return this.#opening
  }

  #refusal(): UpstreamError | undefined {
    if (this.#state === 'stopped') return this.#error('stopped', `it is stopped: ${this.#why}`)
    if (this.spec.launch.kind === 'unresolved') return this.#needsPerson(this.spec.launch.needs)
    const retryAfterMs = Math.ceil(this.#breaker.waitMs)
    if (retryAfterMs === 0) return undefined
    return this.#error('not yet', `${this.#why}; ${this.#nextTry}`, retryAfterMs)
  }

  async #open(): Promise<Connected> {
    const { spec } = this
    if (spec.launch.kind === 'unresolved') throw this.#needsPerson(spec.launch.needs)
    this.#abandon = new AbortController()
    const { signal } = this.#abandon
    const release = await this.#place(this.#parts.starts, signal)
    try {
      await this.#refuseStart(spec)
      this.#enter('starting', 'starting')
      this.#leftOut.clear()
      this.#starts += 1
      const connected = await openServer(spec, spec.launch, {
        ...this.#parts.connecting,
        signal,
        current: () => this.spec,
        throttle: this.#throttle,
        onStderr: (text) => this.#noted(this.log.add(text)),
        onNoise: (line) => this.#unwanted(`(stdout) ${line}`),
        onWarning: (warning) => (isIgnored(warning) ? this.#unwanted(`(host) ${warning}`) : this.warned(warning)),
        onSandbox: (sandbox) => this.#confined(sandbox),
      })
      this.#breaker.started()
      this.#connected = connected
      this.#enterReady()
      void connected.ended.then((why) => this.#ended(connected, why))
      this.#watchIdle()
      return connected
    } catch (error) {
      if (signal.aborted) throw signal.reason
      throw error instanceof UpstreamError ? error : this.#failed(error)
    } finally {
      release()
    }
  }

  async #refuseStart(spec: ServerSpec): Promise<void> {
    const refusal = await this.#parts.connecting.refusalToStart?.(spec)
    if (!refusal) return
    this.needsYou(missingInWords(refusal))
    throw this.#needsPerson(refusal.needs)
  }

  /** A line that is no message, or an answer to no call: to note it costs as much as a notification. */
  #unwanted(line: string): void {
    this.#throttle.spend()
    this.note(line)
  }

  /** Told once when it begins and once when it is over, not with every message. */
  #throttled(why: string | undefined): void {
    if (why !== undefined) {
      this.note(`(host) ${why}`)
      this.#parts.onThrottled?.(why)
    }
    if (this.#state === 'ready') this.#parts.onState?.(this.status)
  }

  #noted(lines: readonly LogLine[]): void {
    if (lines.length === 0) return
    this.#parts.onLog?.(lines)
    if (!this.#refusals) return
    const { count } = this.#refusals
    for (const { text } of lines) this.#refusals.note(text)
    if (this.#refusals.count > count && this.#state === 'ready') this.#enterReady()
  }

  #confined(sandbox: SandboxedLaunch): void {
    this.#sandbox = sandbox
    this.#refusals = sandbox.mechanism && new Refusals()
    this.note(`(host) it runs ${sandbox.says}`)
  }

  /** Adds the last refusal of the sandbox, which may be why the program does not work. */
  #withRefusal(why: string): string {
    const last = this.#refusals?.last
    return last === undefined ? why : `${why}; its sandbox refused ${last}`
  }

  #enterReady(): void {
    const ready = this.#sandbox ? `ready, ${this.#sandbox.says}` : 'ready'
    const { remarks = [] } = this.#connected ?? {}
    this.#enter('ready', this.#withRefusal([ready, ...remarks].join('; ')))
  }

  #failed(error: unknown): UpstreamError {
    this.#breaker.failed()
    const message = this.#withRefusal(error instanceof Error ? error.message : String(error))
    const needsPerson = ['Spawn', 'Unauthorized'].includes((error as { code?: string }).code ?? '')
    if (this.#state !== 'stopped') this.#enter(needsPerson ? 'needs you' : 'failing', message)
    if (this.#runsUnasked && !needsPerson) this.#startSoon(this.#breaker.waitMs)
    const problem = (error as { code?: string }).code === 'Unauthorized' ? 'sign in' : 'cannot start'
    const who = problem === 'sign in' ? '' : `; ${needsPerson ? personHasTo : this.#nextTry}`
    return this.#error(problem, `${message}${who}`, undefined, error)
  }

  #needsPerson(needs: string): UpstreamError {
    return this.#error('needs you', `${needs}; ${personHasTo}`)
  }

  /** Describes when a failed server is tried again. */
  get #nextTry(): string {
    const seconds = (this.#breaker.waitMs / 1000).toFixed(1)
    return this.#breaker.waitMs === 0 ? 'the next call starts it again' : `it is tried again in ${seconds} s`
  }

  /** The connection is gone; unless we ended it, that is a failure. */
  #ended(connected: Connected, why: string | undefined): void {
    if (this.#connected !== connected) return
    this.#connected = undefined
    clearTimeout(this.#idle)
    if (why === undefined) return
    this.#breaker.failed()
    this.#enter('failing', this.#withRefusal(why))
    if (this.#runsUnasked) this.#startSoon(this.#breaker.waitMs)
  }

  get #runsUnasked(): boolean {
    return this.spec.eager === true || this.#parts.isWatched?.() === true
  }

  async #place(slots: Slots, signal: AbortSignal | undefined): Promise<() => void> {
    try {
      return await slots.take(signal)
    } catch (error) {
      if (!(error instanceof SlotsFull)) throw error
      throw this.#error('too busy', error.message)
    }
  }

  #watchIdle(): void {
    const { idleMs = specDefaults.idleMs, eager = specDefaults.eager, launch } = this.spec
    clearTimeout(this.#idle)
    if (idleMs === 0 || eager || launch.kind !== 'program' || this.#calls.taken > 0) return
    this.#idle = setTimeout(() => {
      if (this.#parts.isWatched?.()) return this.#watchIdle()
      this.#enter('waiting', 'was not used for a while; starts with the next call')
      void this.#close()
    }, idleMs)
    this.#idle.unref()
  }

  #startSoon(waitMs: number): void {
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => {
      // a timer may come a moment early, and a start that is refused is not tried again by itself
      const { waitMs: leftMs } = this.#breaker
      if (leftMs > 0) this.#startSoon(leftMs)
      else void this.#ready().catch(() => {})
    }, Math.ceil(waitMs))
    this.#retry.unref()
  }

  async #close(): Promise<void> {
    clearTimeout(this.#idle)
    clearTimeout(this.#retry)
    const opening = this.#opening
    const connected = this.#connected ?? (await opening?.catch(() => undefined))
    this.#connected = undefined
    await connected?.close()
  }

  #enter(state: UpstreamState, why: string): void {
    this.#state = state
    this.#why = why
    this.#since = Date.now()
    this.#parts.onState?.(this.status)
  }

  #error(problem: UpstreamError['problem'], why: string, retryAfterMs?: number, cause?: unknown): UpstreamError {
    const name = serverNameOf(this.name)
    return new UpstreamError(name, problem, `Cannot use server "${name}": ${why}`, {
      ...(retryAfterMs !== undefined && { retryAfterMs }),
      cause,
    })
  }
}

const inWords = (...all: readonly (string | undefined)[]): string => all.filter((one) => one !== undefined).join('; ')
const isIgnored = (warning: string): boolean => warning.startsWith('Ignored ')
