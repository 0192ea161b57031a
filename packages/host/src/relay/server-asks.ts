import type { Caller, Client, ClientCapabilities, Fields, LogMessage } from '@trunkline/mcp'
import { RpcError } from '@trunkline/mcp'
import { type ClientQuestion, forwardedMeta, PassingMap } from '@trunkline/mcp/relay'
import type { TaskCallOptions, TaskState } from '@trunkline/mcp/tasks'
import type { Act } from '../act/act.ts'
import { type ServerKey, serverNameOf } from '../act/server-key.ts'
import type { ServerName } from '../act/server-name.ts'
import { contractKey } from '../servers/contract-key.ts'
import { canFillForms, canSample, canVisitPages } from './caller-can.ts'
import type { AskedAs, OpenCall } from './open-call.ts'
import { refuseSecretFields } from './secret-fields.ts'
import type { GivenTerms } from './terms/given-terms.ts'
import { type SpilledAddresses, withAddress } from './terms/spilled-address.ts'
import { termsToPass, withTermsFor } from './terms/terms-upstream.ts'

/** Capabilities that the host declares to servers; it helps out callers that lack some. */
export const declaredToServers: ClientCapabilities = {
  elicitation: { form: {}, url: {} },
  sampling: { tools: {}, context: {} },
  roots: { listChanged: true },
}

/** Origin of a server's request: the server, the call, and the signal that withdraws it. */
export interface ServerAsking {
  readonly serverKey: ServerKey
  readonly signal: AbortSignal | undefined
  /** One of the calls that it may be about; undefined when those are of more than one caller. */
  readonly call: OpenCall | undefined
  /** The tool, prompt or address that was called; undefined when there are several calls. */
  readonly target: string | undefined
  /** Asks the caller itself; missing where it cannot answer. */
  readonly byCaller: ((params: Fields) => Promise<Fields>) | undefined
}

/** A request to send to a server. */
export interface RelayedRequest {
  readonly method: string
  readonly params: Fields
  /** Milliseconds that it may take; 0 for no limit. */
  readonly maxMs: number
  /** Terms that the caller sent beside it, and their act. */
  readonly terms?: { readonly act: Act; readonly given: GivenTerms } | undefined
}

/** Context of a server's request: the call, and its text before it was brought into the newest form. */
interface AskedDuring extends AskedAs {
  readonly context: unknown
  readonly original?: Fields | undefined
}

/** A call under way at a server, and its target there. */
interface UnderWay {
  readonly call: OpenCall
  readonly target: unknown
}

/** Answers requests of servers: by the caller if it can and may, else at this machine. */
export interface LocalAnswers {
  /** A form or a page, shown to a person. */
  elicit(params: Fields, asked: ServerAsking): Promise<Fields>
  /** A prompt for a model. */
  sample(params: Fields, asked: ServerAsking): Promise<Fields>
  /** The directories a server may work on. */
  roots(server: ServerKey, call: OpenCall | undefined): Promise<Fields>
  /** Keeps a log message that belongs to no caller. */
  log(server: ServerKey, message: LogMessage): void
}

/** The calls under way at one server, to find the caller that a question of that server is for. */
export class ServerAsks {
  readonly #server: ServerName
  readonly #key: ServerKey
  readonly #local: LocalAnswers
  readonly #spilled: SpilledAddresses
  readonly #calls = new PassingMap<string, UnderWay>()

  constructor(server: ServerKey, local: LocalAnswers, spilled: SpilledAddresses) {
    this.#server = serverNameOf(server)
    this.#key = server
    this.#local = local
    this.#spilled = spilled
  }

  /** Passes a request on to the server, whose questions meanwhile may be about it. */
  async run(client: Client, call: OpenCall, { method, params, maxMs, terms }: RelayedRequest): Promise<Fields> {
    this.#calls.set(call.id, { call, target: params.name ?? params.uri })
    try {
      const sent = terms ? await withTermsFor(client, terms.act, params, terms.given) : params
      if (terms) terms.given.isSent = true
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
      this.#calls.delete(call.id)
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
  async starting<Result>(call: OpenCall, work: () => Promise<Result>): Promise<Result> {
    this.#calls.set(call.id, { call, target: undefined })
    try {
      return await work()
    } finally {
      this.#calls.delete(call.id)
    }
  }

  /** Answers a request of the server; members that belong to one hop stay on it, both ways. */
  async answer(method: string, params: Fields, during?: AskedDuring): Promise<Fields> {
    const original = during?.original && { original: withoutHop(during.original) }
    return withoutHop(await this.#answer(method, withoutHop(params), during && { ...during, ...original }))
  }

  async #answer(method: string, params: Fields, during: AskedDuring | undefined): Promise<Fields> {
    const calls = this.#callsOf(during?.context)
    const [call] = calls
    if (method === 'roots/list') {
      if (call?.caller.capabilities.roots) return askAny(calls, { method, params }, during)
      return this.#local.roots(this.#key, call)
    }
    if (method === 'elicitation/create') {
      if (params.mode !== 'url') refuseSecretFields(params)
      const asked = { mode: 'form', ...(during?.original ?? params) }
      const labelled = { ...asked, message: `[server ${this.#server}] ${params.message}` }
      const can = params.mode === 'url' ? canVisitPages : canFillForms
      return this.#local.elicit(labelled, this.#asked({ method, calls, can }, during))
    }
    if (method === 'sampling/createMessage') {
      const can = (caller: Caller) => canSample(caller, params.tools !== undefined)
      return this.#local.sample(params, this.#asked({ method, calls, can }, during))
    }
    throw new RpcError(-32601, `Cannot answer "${method}": no such method`)
  }

  #asked({ method, calls, can }: Asking, during: AskedDuring | undefined): ServerAsking {
    const [call, another] = calls
    return {
      serverKey: this.#key,
      signal: another ? during?.signal : either(during?.signal, call?.signal),
      call,
      target: another ? undefined : this.#targetOf(call),
      byCaller: call && can(call.caller) ? (params) => askAny(calls, { method, params }, during) : undefined,
    }
  }

  /** Passes a log message on to the caller it is for; one that could be for several is for the log of its server alone. */
  log(message: LogMessage, context: unknown): void {
    const [call] = this.#callsOf(context)
    if (call) call.log(withoutHop(message))
    else this.#local.log(this.#key, message)
  }

  #targetOf(call: OpenCall | undefined): string | undefined {
    const target = call && this.#calls.get(call.id)?.target
    return typeof target === 'string' ? target : undefined
  }

  /**
   * The calls that a question may be about, those first whose caller waits; none where they are of several callers,
   * which is never guessed.
   */
  #callsOf(context: unknown): readonly OpenCall[] {
    if (context !== undefined) return [context as OpenCall]
    const calls = [...this.#calls.values()].map(({ call }) => call)
    const [first] = calls
    if (!first || !calls.every((call) => call.isOfCallerOf(first))) return []
    return calls.sort((one, other) => Number(other.isAttached) - Number(one.isAttached))
  }
}

/** A question for a caller, the calls that it may be about, and whether a caller can answer it. */
interface Asking {
  readonly method: string
  readonly calls: readonly OpenCall[]
  can(caller: Caller): boolean
}

/** Asks a caller in one of its calls; when that one ends meanwhile, in the next that is under way. */
async function askAny(
  calls: readonly OpenCall[],
  question: ClientQuestion,
  during: AskedDuring | undefined,
): Promise<Fields> {
  const [call, ...others] = calls.length > 1 ? calls.filter((one) => !isDone(one)) : calls
  if (!call) throw new Error('The call is over')
  try {
    return await call.ask(question, { ...during, isShared: others.length > 0 })
  } catch (error) {
    if (during?.signal?.aborted || !isDone(call) || others.every(isDone)) throw error
    return askAny(others, question, during)
  }
}

function isDone({ isOver, signal }: OpenCall): boolean {
  return isOver || signal.aborted
}

function either(one: AbortSignal | undefined, other: AbortSignal | undefined): AbortSignal | undefined {
  return one && other ? AbortSignal.any([one, other]) : (one ?? other)
}

/** A message of one side without the members of its `_meta` that are only for the host. */
function withoutHop<Message extends object>(message: Message): Message {
  if ((message as Fields)._meta === undefined) return message
  const { _meta, ...rest } = message as Message & { readonly _meta: Fields }
  const meta = forwardedMeta(_meta)
  return (meta ? { ...rest, _meta: meta } : rest) as Message
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
