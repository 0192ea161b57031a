import type { Caller, ClientCapabilities, Fields, LogMessage } from '@trunkline/mcp'
import { RpcError } from '@trunkline/mcp'
import type { ClientQuestion } from '@trunkline/mcp/relay'
import { type ServerKey, serverNameOf } from '../act/server-key.ts'
import type { ServerName } from '../act/server-name.ts'
import { canFillForms, canSample, canTellRoots, canVisitPages } from './caller-can.ts'
import type { CallsAtServer } from './calls-at-server.ts'
import { withoutHop } from './hop-meta.ts'
import type { AskedAs, OpenCall } from './open-call.ts'
import { refuseSecretFields } from './secret-fields.ts'

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

/** Context of a server's request: the call, and its text before it was brought into the newest form. */
interface AskedDuring extends AskedAs {
  readonly context: unknown
  readonly original?: Fields | undefined
}

/** Answers requests of servers: by the caller if it can and may, else at this machine. */
export interface LocalAnswers {
  /** A form or a page, shown to a person. */
  elicit(params: Fields, asked: ServerAsking): Promise<Fields>
  /** A prompt for a model. */
  sample(params: Fields, asked: ServerAsking): Promise<Fields>
  /** The directories a server may work on. */
  roots(params: Fields, asked: ServerAsking): Promise<Fields>
  /** Keeps a log message. */
  log(server: ServerKey, message: LogMessage): void
}

/** Answers the questions of one server: asks the caller that each is for, or this machine. */
export class ServerQuestions {
  readonly #server: ServerName
  readonly #key: ServerKey
  readonly #local: LocalAnswers
  readonly #calls: CallsAtServer

  constructor(server: ServerKey, local: LocalAnswers, calls: CallsAtServer) {
    this.#server = serverNameOf(server)
    this.#key = server
    this.#local = local
    this.#calls = calls
  }

  /** Answers a request of the server; members that belong to one hop stay on it, both ways. */
  async answer(method: string, params: Fields, during?: AskedDuring): Promise<Fields> {
    const original = during?.original && { original: withoutHop(during.original) }
    return withoutHop(await this.#answer(method, withoutHop(params), during && { ...during, ...original }))
  }

  async #answer(method: string, params: Fields, during: AskedDuring | undefined): Promise<Fields> {
    const calls = this.#calls.meantBy(during?.context)
    if (method === 'roots/list') {
      return this.#local.roots(params, this.#asked({ method, calls, can: canTellRoots }, during))
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
      target: another ? undefined : this.#calls.targetOf(call),
      byCaller: call && can(call.caller) ? (params) => askAny(calls, { method, params }, during) : undefined,
    }
  }

  /** Keeps a log message in the log of its server, and passes it on to the caller it is for; not one that could be for several. */
  log(message: LogMessage, context: unknown): void {
    const [call] = this.#calls.meantBy(context)
    this.#local.log(this.#key, message)
    call?.log(withoutHop(message))
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
