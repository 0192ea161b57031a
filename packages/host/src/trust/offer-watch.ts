import type { Client } from '@trunkline/mcp'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { learnOffers } from '../catalogue/learn.ts'
import type { DefinitionQuestions } from './definition-question.ts'

export interface OfferWatchParts {
  readonly catalogue: Catalogue
  readonly questions: DefinitionQuestions
  /** A client of a server, started when needed. */
  client(server: string): Promise<Client>
  /** A server says that its resources are others now. */
  onResources(server: string): void
  /** What a server offers could not be read, as far as this says. */
  onBadList(server: string, problem: string): void
  /** Whether a person accepted the server as it is configured now. */
  isAccepted(server: string): boolean
}

/** How long a caller waits for a server that was never seen, in milliseconds. */
const learnMs = 4_000

/** Keeps the catalogue up to date with what servers offer. */
export class OfferWatch {
  readonly #parts: OfferWatchParts
  readonly #learning = new Map<string, Promise<void>>()
  readonly #followed = new WeakSet<Client>()

  constructor(parts: OfferWatchParts) {
    this.#parts = parts
  }

  /** Learns what a server that came up offers, and again whenever it says that this changed. */
  async follow(server: string): Promise<void> {
    const client = await this.#parts.client(server)
    if (this.#followed.has(client)) return this.#learn(server, client)
    this.#followed.add(client)
    const watching = client.watch({ tools: true, prompts: true, resources: true }, ({ kind }) => {
      // resources are not kept, so that nobody but their server can tell that they are others
      if (kind === 'resources') this.#parts.onResources(server)
      void this.#learn(server, client).catch(() => {})
    })
    // afterwards, so that no change between the two is missed
    await watching.finally(() => this.#learn(server, client))
  }

  /** Starts accepted servers that were never seen, and waits for as long as a caller can wait. */
  async learnUnseen(servers: readonly string[]): Promise<void> {
    const { catalogue, isAccepted } = this.#parts
    const unseen = servers.filter((name) => isAccepted(name) && !catalogue.isPinned(name))
    if (unseen.length === 0) return
    const all = Promise.allSettled(unseen.map((name) => this.learn(name)))
    let timer: NodeJS.Timeout | undefined
    await Promise.race([all, new Promise((resolve) => (timer = setTimeout(resolve, learnMs)))])
    clearTimeout(timer)
  }

  /** Asks a server what it offers; who asks at the same time gets the same answer. */
  learn(server: string): Promise<void> {
    const known = this.#learning.get(server)
    if (known) return known
    const learning = this.#parts
      .client(server)
      .then((client) => this.#learn(server, client))
      .finally(() => this.#learning.delete(server))
    this.#learning.set(server, learning)
    return learning
  }

  /** The first complete list of an accepted server is accepted with it; what comes later is asked about. */
  async #learn(server: string, client: Client): Promise<void> {
    const { catalogue, questions, isAccepted } = this.#parts
    await learnOffers(server, client, catalogue, (problem) => this.#parts.onBadList(server, problem))
    if (!isAccepted(server)) return
    if (!catalogue.isPinned(server)) await catalogue.pin(server)
    await questions.review(server)
  }
}
