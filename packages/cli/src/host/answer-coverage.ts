import type { RouteAnswer, RouteInput } from '@trunkline/host/api'
import { counted } from '../output/counted.ts'
import type { HostLink } from './host-link.ts'
import type { ShownQuestion } from './show.ts'

type Offered = NonNullable<RouteAnswer<'questionContext'>['coverage']>
type Covered = NonNullable<RouteInput<'answer'>['covers']>[number]

/** Keys that widen an answer. */
export type CoverageKey = 't' | 'c'

const meanings: { readonly [Key in CoverageKey]: Covered } = { t: 'writing-tools', c: 'all-clients' }

/** Further tools and clients that a person chooses to cover with their answer; none at first. */
export class AnswerCoverage {
  readonly #question: ShownQuestion
  readonly #offered: Partial<Offered>
  readonly #chosen = new Set<Covered>()

  constructor(question: ShownQuestion, offered: Partial<Offered>) {
    this.#question = question
    this.#offered = offered
  }

  /** The project that an answer can be bound to. */
  get project(): string | undefined {
    return this.#offered.project
  }

  /** True when the answer is for all clients. */
  get isForAllClients(): boolean {
    return this.#chosen.has('all-clients')
  }

  /** The keys that can be pressed, with what they mean. */
  get keys(): { readonly [Key in CoverageKey]?: string } {
    const { tools, clients } = this.#offered
    return {
      ...(tools && { t: `t all ${counted(tools.length, 'writing tool')} of ${this.#question.server}` }),
      ...(clients && { c: 'c all my clients' }),
    }
  }

  /** Adds or takes back what a key stands for; returns what the answer covers now, in words. */
  toggle(key: CoverageKey): readonly string[] {
    const one = meanings[key]
    if (!this.#chosen.delete(one)) this.#chosen.add(one)
    const { tools = [], clients = [] } = this.#offered
    const { target, principal } = this.#question
    return [
      this.#chosen.has('writing-tools')
        ? `Tools: ${tools.join(', ')}; what changes or comes later asks, and what destroys asks every time`
        : `Tools: ${target} alone`,
      this.#chosen.has('all-clients')
        ? `Clients: ${clients.join(', ')}; those that come later ask`
        : `Clients: ${principal} alone`,
    ]
  }

  /** Fields of the request that widen an answer; one for this call alone covers nothing else, and a rule is for one tool. */
  sentWith(choice: RouteInput<'answer'>['choice']): Pick<RouteInput<'answer'>, 'covers' | 'seen'> {
    if (choice === 'once' || choice === 'refuse') return {}
    const covers = [...this.#chosen].filter((one) => choice !== 'always' || one === 'all-clients')
    return covers.length === 0 ? {} : { covers, ...(this.#offered.seen !== undefined && { seen: this.#offered.seen }) }
  }
}

/** Asks the host for further tools and clients that an answer can cover; none if the question is gone, which its answer will say. */
export async function offeredCoverage(host: HostLink, question: ShownQuestion): Promise<AnswerCoverage> {
  if (question.kind !== 'call') return new AnswerCoverage(question, {})
  const { coverage = {} } = await host
    .call('questionContext', { id: question.id })
    .catch((): RouteAnswer<'questionContext'> => ({}))
  return new AnswerCoverage(question, coverage)
}
