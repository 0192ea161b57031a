import { setTimeout as delay } from 'node:timers/promises'
import type { Machine } from '../../config/machine.ts'
import type { Door, Question } from '../question.ts'
import { type DesktopOptions, hasDesktop, showOnDesktop } from './desktop.ts'
import { type Notice, noticeOf, summaryOf } from './notice.ts'
import { type WebhookOptions, Webhooks } from './webhook.ts'

/** The person's settings of notices. */
export interface NotifySettings {
  readonly desktop: boolean
  readonly webhook: string | undefined
}

export interface NotifierTimes {
  /** Milliseconds in which an answer makes a notice needless, and in which questions are told together. @default 1_000 */
  readonly gatherMs?: number
  /** Milliseconds between one notice and the next. @default 5_000 */
  readonly pauseMs?: number
  readonly desktop?: DesktopOptions
  readonly webhook?: Pick<WebhookOptions, 'timeoutMs' | 'retryMs' | 'maxNotices'>
}

export interface NotifierOptions extends NotifierTimes {
  readonly machine: Machine
  /** Settings in the project of a question. */
  settingsOf(project: string | undefined): NotifySettings
  /** The address of the console, for links. */
  console(): URL
  onError(error: unknown): void
}

/** Notifies a person of questions on their screen and by a webhook. It is a door without answers. */
export class Notifier implements Door {
  readonly name = 'notifier'
  readonly isLocal = true
  readonly #options: NotifierOptions
  readonly #webhooks: Webhooks
  // not more than the inbox holds, since settled questions are withdrawn
  readonly #untold = new Map<string, Question>()
  readonly #stop = new AbortController()
  #telling: Promise<void> | undefined
  /** The last reported failure of notices; it is not reported again before one works. */
  #lastFailure: string | undefined

  constructor(options: NotifierOptions) {
    this.#options = options
    const onError = (error: Error) => options.onError(error)
    this.#webhooks = new Webhooks({ ...options.webhook, console: () => options.console(), onError })
  }

  present(question: Question): void {
    if (this.#stop.signal.aborted) return
    this.#untold.set(question.id, question)
    this.#telling ??= this.#tellAll().finally(() => {
      this.#telling = undefined
    })
  }

  withdraw(id: string): void {
    this.#untold.delete(id)
    this.#webhooks.withdraw(id)
  }

  async close(): Promise<void> {
    this.#stop.abort()
    this.#untold.clear()
    await this.#webhooks.close()
    await this.#telling
  }

  async #tellAll(): Promise<void> {
    const { gatherMs = 1_000, pauseMs = 5_000 } = this.#options
    while (this.#untold.size > 0) {
      await this.#wait(gatherMs)
      const questions = [...this.#untold.values()]
      this.#untold.clear()
      if (questions.length === 0) continue
      this.#tellWebhooks(questions)
      await this.#show(questions)
      await this.#wait(pauseMs)
    }
  }

  #tellWebhooks(questions: readonly Question[]): void {
    const { settingsOf, console } = this.#options
    const byAddress = new Map<string, Notice[]>()
    for (const question of questions) {
      const { webhook } = settingsOf(question.project)
      if (webhook === undefined) continue
      byAddress.set(webhook, [...(byAddress.get(webhook) ?? []), noticeOf(question, console())])
    }
    for (const [webhook, notices] of byAddress) this.#webhooks.send(webhook, notices)
  }

  async #show(questions: readonly Question[]): Promise<void> {
    const { settingsOf, console, machine, desktop, onError } = this.#options
    const shown = questions.filter(({ project }) => settingsOf(project).desktop)
    if (shown.length === 0 || !hasDesktop(machine)) return
    const notices = shown.map((question) => noticeOf(question, console()))
    try {
      await showOnDesktop(summaryOf(notices, console()), machine, desktop)
      this.#lastFailure = undefined
    } catch (error) {
      const { message } = error as Error
      if (message !== this.#lastFailure) onError(error)
      this.#lastFailure = message
    }
  }

  /** Ends early when the host does; no process stays alive for it. */
  async #wait(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.#stop.signal, ref: false }).catch(() => {})
  }
}
