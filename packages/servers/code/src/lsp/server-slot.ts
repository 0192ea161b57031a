import { quoted } from '@trunkline/server-kit/preview'
import { ToolProblem } from '@trunkline/server-kit/tool-problem'
import { LanguageServer, type LanguageServerTarget } from './language-server.ts'
import { whyNotStartable } from './program-group.ts'

/** State of the language server of one language in one project. */
export type SlotState = 'notStarted' | 'starting' | 'ready' | 'busy' | 'failed'

/** Place of a language server: starts it on first use, and again after a failure, with pauses and a limit. */
export class ServerSlot {
  readonly target: LanguageServerTarget
  readonly #onStarted: (server: LanguageServer) => void
  #server: LanguageServer | undefined
  #starting: Promise<LanguageServer> | undefined
  #failures: number[] = []
  #why: string | undefined
  #isStopped = false

  constructor(target: LanguageServerTarget, onStarted: (server: LanguageServer) => void = () => {}) {
    this.target = target
    this.#onStarted = onStarted
  }

  get state(): SlotState {
    if (this.#server) return this.#server.isBusy ? 'busy' : 'ready'
    if (this.#starting) return 'starting'
    return this.#why === undefined ? 'notStarted' : 'failed'
  }

  /** Reason of the last failure; undefined while it runs. */
  get why(): string | undefined {
    return this.#server ? undefined : this.#why
  }

  /** The server if it runs. */
  get running(): LanguageServer | undefined {
    return this.#server
  }

  /** The server, started if it does not run; refuses at once during a pause after a failure. */
  async ready(): Promise<LanguageServer> {
    if (this.#server) return this.#server
    if (!this.#starting) this.#refuseUnlessDue()
    this.#starting ??= this.#start().finally(() => {
      this.#starting = undefined
    })
    return this.#starting
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    const server = this.#server ?? (await this.#starting?.catch(() => undefined))
    await server?.stop()
  }

  async #start(): Promise<LanguageServer> {
    const { command, root, language } = this.target
    const [program = ''] = command
    const missing = whyNotStartable(program, root)
    if (missing !== undefined) {
      this.#why = missing
      throw new ToolProblem('unavailable', `Cannot start the language server of ${language.name}: ${missing}`, {
        next: `Install it, or configure another command with --language '${language.name}=COMMAND'`,
      })
    }
    const server = await LanguageServer.start(this.target).catch((error: Error) => {
      throw this.#failed(error.message, '')
    })
    if (this.#isStopped) {
      await server.stop()
      throw new ToolProblem('unavailable', 'Cannot start a language server: this server is ending')
    }
    this.#server = server
    this.#why = undefined
    void server.closed.then((why) => {
      this.#server = undefined
      if (!this.#isStopped) this.#failed(why, server.stderr)
    })
    this.#onStarted(server)
    return server
  }

  #failed(why: string, stderr: string): ToolProblem {
    this.#failures.push(Date.now())
    const lastLine = stderr.trimEnd().split('\n').at(-1) ?? ''
    this.#why = lastLine === '' ? why : `${why}; it wrote ${quoted(lastLine)}`
    return this.#problem()
  }

  #refuseUnlessDue(): void {
    if (this.#failures.length > 0 && this.#dueInMs() > 0) throw this.#problem()
  }

  #problem(): ToolProblem {
    const { language } = this.target
    const retryAfterMs = Math.ceil(this.#dueInMs())
    const times = this.#failures.length === 1 ? '' : ` ${this.#failures.length} times`
    return new ToolProblem('unavailable', `The language server of ${language.name} failed${times}: ${this.#why}`, {
      next: `It is started again in ${Math.ceil(retryAfterMs / 1_000)} s; get_syntax works without it`,
      retryAfterMs,
    })
  }

  /** Time until it may be started: twice as long after each failure; after too many, when the first of them is old. */
  #dueInMs(): number {
    const { maxRestarts, restartWindowMs, restartPauseMs } = this.target.limits
    const now = Date.now()
    this.#failures = this.#failures.filter((at) => now - at < restartWindowMs).slice(-maxRestarts)
    const [first = now] = this.#failures
    const { length } = this.#failures
    if (length >= maxRestarts) return first + restartWindowMs - now
    const last = this.#failures.at(-1) ?? 0
    return Math.max(0, last + restartPauseMs * 2 ** (length - 1) - now)
  }
}
