import type { Client, Fields } from '@trunkline/mcp'
import { PassingMap } from '@trunkline/mcp/relay'
import type { TaskCallOptions, TaskState } from '@trunkline/mcp/tasks'
import type { Act } from '../act/act.ts'
import type { ServerKey } from '../act/server-key.ts'
import { contractKey } from '../servers/contract-key.ts'
import { withoutHop } from './hop-meta.ts'
import type { OpenCall } from './open-call.ts'
import type { GivenTerms } from './terms/given-terms.ts'
import { type SpilledAddresses, withAddress } from './terms/spilled-address.ts'
import { termsToPass, withTermsFor } from './terms/terms-upstream.ts'

/** A request to send to a server. */
export interface RelayedRequest {
  readonly method: string
  readonly params: Fields
  /** Milliseconds that it may take; 0 for no limit. */
  readonly maxMs: number
  /** Terms that the caller sent beside it, and their act. */
  readonly terms?: { readonly act: Act; readonly given: GivenTerms } | undefined
}

/** A call under way at a server, and its target there. */
interface UnderWay {
  readonly call: OpenCall
  readonly target: unknown
}

/** The calls under way at one server: sends them, and finds the one that a question of the server is about. */
export class CallsAtServer {
  readonly #key: ServerKey
  readonly #spilled: SpilledAddresses
  readonly #underWay = new PassingMap<string, UnderWay>()

  constructor(server: ServerKey, spilled: SpilledAddresses) {
    this.#key = server
    this.#spilled = spilled
  }

  /** Sends a request to the server, whose questions meanwhile may be about it. */
  async send(client: Client, call: OpenCall, { method, params, maxMs, terms }: RelayedRequest): Promise<Fields> {
    this.#underWay.set(call.id, { call, target: params.name ?? params.uri })
    try {
      const sent = terms ? await withTermsFor(client, terms.act, params, terms.given) : params
      if (terms) terms.given.isSent = true
      call.sends += 1
      const answer = client.request(method, sent, {
        signal: call.signal,
        context: call,
        // the time limit of a start is not one of a call
        timeoutMs: maxMs === 0 ? Number.POSITIVE_INFINITY : maxMs,
        maxTotalMs: maxMs === 0 ? Number.POSITIVE_INFINITY : maxMs,
        onProgress: (report) => call.progress(report),
        ...following(call),
      })
      terms?.given.onSent?.()
      const result = await answer
      const told = result._meta === undefined ? undefined : termsToPass(client, result)
      return told ? this.#told(withoutHop(result), told, call) : withoutHop(result)
    } finally {
      this.#underWay.delete(call.id)
    }
  }

  /** A result with its terms for the caller, made anew; the address of the whole result becomes one of ours. */
  #told(result: Fields, told: Fields, { caller }: OpenCall): Fields {
    const { uri } = (told.spilled ?? {}) as Fields
    if (typeof uri !== 'string') return withTerms(result, told)
    const shown = this.#spilled.shown({ server: this.#key, uri }, caller.principal)
    const spilled = { ...(told.spilled as Fields), uri: shown }
    return withTerms(withAddress(result, uri, shown), { ...told, spilled })
  }

  /** Does something for which the server may have to be started; its questions meanwhile may be about that call. */
  async whileStarting<Result>(call: OpenCall, work: () => Promise<Result>): Promise<Result> {
    this.#underWay.set(call.id, { call, target: undefined })
    try {
      return await work()
    } finally {
      this.#underWay.delete(call.id)
    }
  }

  /** The tool, prompt or address of a call. */
  targetOf(call: OpenCall | undefined): string | undefined {
    const target = call && this.#underWay.get(call.id)?.target
    return typeof target === 'string' ? target : undefined
  }

  /**
   * The calls that a question may be about, those first whose caller waits; none where they are of several callers,
   * which is never guessed.
   */
  meantBy(context: unknown): readonly OpenCall[] {
    if (context !== undefined) return [context as OpenCall]
    const calls = [...this.#underWay.values()].map(({ call }) => call)
    const [first] = calls
    if (!first || !calls.every((call) => call.isOfCallerOf(first))) return []
    return calls.sort((one, other) => Number(other.isAttached) - Number(one.isAttached))
  }
}

function withTerms(result: Fields, terms: Fields): Fields {
  return { ...result, _meta: { ...(result._meta as Fields | undefined), [contractKey]: terms } }
}

/** Follows the task that a call may become at its server. */
function following(call: OpenCall): TaskCallOptions {
  return { onTask: (state) => void followTask(call, state) }
}

/** Makes a task here, under an id of our own, for a call that became one at the server. */
async function followTask(call: OpenCall, { statusMessage }: TaskState): Promise<void> {
  try {
    await call.becomeTask()
    if (statusMessage !== undefined) call.status(statusMessage)
  } catch {
    // there is no room for one more task, or it cannot be stored: the call stays a call
  }
}
