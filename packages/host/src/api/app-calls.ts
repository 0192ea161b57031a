import type { Fields } from '@trunkline/mcp'
import type { Inbox } from '../inbox/inbox.ts'
import type { Question } from '../inbox/question.ts'
import { hashOf } from '../text/json-hash.ts'

/** The program that the apps of all servers are. */
export const appProgram = 'app'

/** A tool call or a read by an app. */
export interface AppCall {
  /** The server, by its configured name. */
  readonly server: string
  /** The tool, or the address of a resource. */
  readonly target: string
  /** None for a resource. */
  readonly arguments: Fields
}

/**
 * The calls of apps that are under way. No app comes back for an answer: the question about its call is withdrawn when
 * the app no longer waits for that call.
 */
export class AppCalls {
  readonly #inbox: Inbox
  // number of apps that wait for the same call, and so for the same question
  readonly #waiting = new Map<string, number>()

  constructor(inbox: Inbox) {
    this.#inbox = inbox
    // a question may be asked after its app was closed, or be left from an earlier host
    inbox.addDoor({ name: 'apps', isLocal: false, present: (question) => this.#withdraw([question]), withdraw() {} })
  }

  /** Does the work of one call; closing the app ends it. */
  async run<Result>(call: AppCall, work: () => Promise<Result>): Promise<Result> {
    const key = keyOf(call)
    this.#waiting.set(key, this.#count(key) + 1)
    try {
      return await work()
    } finally {
      const left = this.#count(key) - 1
      if (left > 0) this.#waiting.set(key, left)
      else this.#waiting.delete(key)
      this.#withdraw(this.#inbox.open)
    }
  }

  #count(key: string): number {
    return this.#waiting.get(key) ?? 0
  }

  #withdraw(questions: readonly Question[]): void {
    for (const { id, kind, principal, server, target, detail } of questions) {
      if (kind !== 'call' || principal !== appProgram) continue
      if (this.#count(keyOf({ server, target, arguments: detail.arguments as Fields })) > 0) continue
      // a question that cannot be withdrawn expires
      void this.#inbox.withdraw(id, 'the app was closed').catch(() => {})
    }
  }
}

function keyOf({ server, target, arguments: args }: AppCall): string {
  return hashOf([server, target, args])
}
