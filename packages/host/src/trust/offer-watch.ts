import type { Client } from '@trunkline/mcp'
import type { ServerKey } from '../act/server-key.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { learnOffers } from '../catalogue/learn.ts'
import { CoalescedRuns } from '../servers/coalesced-runs.ts'
import type { DefinitionQuestions } from './definition-question.ts'

export interface OfferWatchParts {
  readonly catalogue: Catalogue
  readonly questions: DefinitionQuestions
  /** A client of a server, started when needed. */
  client(server: ServerKey): Promise<Client>
  /** Announces that the resources of a server are others now, whenever the returned function is called. */
  announcing(server: ServerKey): () => void
  /** Called when the offers of a server could not be read, with the problem. */
  onBadList(server: ServerKey, problem: string): void
  /** True if a person accepted the server as it is configured now. */
  isAccepted(server: ServerKey): boolean
}

/** Time that a caller waits for a server that was never seen, in milliseconds. */
const learnMs = 4_000

/** Keeps the catalogue up to date with the offers of servers. */
export class OfferWatch {
  readonly #parts: OfferWatchParts
  /** Each settles when its server is listened to, or cannot be. */
  readonly #watching = new WeakMap<Client, Promise<void>>()
  readonly #listings = new WeakMap<Client, CoalescedRuns>()
  /** Clients that were listed before they could be listened to. */
  readonly #listedEarly = new WeakSet<Client>()

  constructor(parts: OfferWatchParts) {
    this.#parts = parts
  }

  /** Learns the offers of a server that came up, and again whenever it says that they changed. */
  async follow(server: ServerKey): Promise<void> {
    const client = await this.#parts.client(server)
    await Promise.all([this.#watch(server, client), this.#listingsOf(server, client).run()])
  }

  /** Starts accepted servers that were never seen, and waits for as long as a caller can wait. */
  async learnUnseen(servers: readonly ServerKey[]): Promise<void> {
    const { catalogue, isAccepted } = this.#parts
    const unseen = servers.filter((name) => isAccepted(name) && !catalogue.isPinned(name))
    if (unseen.length === 0) return
    await settledWithin(Promise.allSettled(unseen.map((name) => this.learn(name))), learnMs)
  }

  /** Asks a server for its offers; simultaneous callers get the same answer. */
  async learn(server: ServerKey): Promise<void> {
    return this.#listingsOf(server, await this.#parts.client(server)).run()
  }

  #listingsOf(server: ServerKey, client: Client): CoalescedRuns {
    const known = this.#listings.get(client)
    if (known) return known
    const listings = new CoalescedRuns(() => this.#listed(server, client))
    this.#listings.set(client, listings)
    return listings
  }

  /** Lists once a server is listened to, so that no change between the two is missed; one that does not answer is not waited for. */
  async #listed(server: ServerKey, client: Client): Promise<void> {
    const watching = this.#watch(server, client)
    const isWatched = await settledWithin(watching, learnMs)
    await this.#learn(server, client)
    if (isWatched || this.#listedEarly.has(client)) return
    this.#listedEarly.add(client)
    void watching.then(() => this.#listingsOf(server, client).runAgain()).catch(() => {})
  }

  #watch(server: ServerKey, client: Client): Promise<void> {
    const known = this.#watching.get(client)
    if (known) return known
    // resources are not kept, so that only their server can tell that they changed
    const announceResources = this.#parts.announcing(server)
    const watching = client.watch({ tools: true, prompts: true, resources: true }, ({ kind }) => {
      if (kind === 'resources') announceResources()
      void this.#listingsOf(server, client)
        .runAgain()
        .catch(() => {})
    })
    const watched = watching.then(() => {})
    this.#watching.set(client, watched)
    return watched
  }

  /** Accepts the first complete list of an accepted server with it; later changes are asked about. */
  async #learn(server: ServerKey, client: Client): Promise<void> {
    const { catalogue, questions, isAccepted } = this.#parts
    await learnOffers(server, client, catalogue, (problem) => this.#parts.onBadList(server, problem))
    if (!isAccepted(server)) return
    if (!catalogue.isPinned(server)) await catalogue.pin(server)
    await questions.review(server)
  }
}

/** True if the work ended in time, well or not. */
async function settledWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(false), ms)))
  const isSettled = () => true
  const inTime = await Promise.race([work.then(isSettled, isSettled), late])
  clearTimeout(timer)
  return inTime
}
