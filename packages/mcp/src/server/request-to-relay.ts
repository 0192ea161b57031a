import type { Caller, Rounds, ServerRequest } from '../dialects/dialect.ts'
import { controlMethods } from '../model/control-methods.ts'
import { forwardedMeta } from '../model/forwarded-meta.ts'
import { type LogMessage, logLevels } from '../model/types.ts'
import type { Fields } from '../wire/messages.ts'
import type { Context } from './context.ts'
import type { RelayRequest } from './relay-options.ts'

/**
 * The view of a request that a relay gets. V8 makes a function that is assigned to a property right where it is written in
 * the old generation, so that it keeps all it refers to, the whole call, until the next full collection. So functions are
 * named first here, and getters belong to the class.
 */
export class RequestToRelay implements RelayRequest {
  readonly method: string
  readonly params: Fields
  readonly meta: Fields | undefined
  readonly caller: Caller
  readonly session: object | undefined
  readonly wantsProgress: boolean
  readonly rounds: Rounds | undefined
  readonly ask: RelayRequest['ask']
  readonly progress: RelayRequest['progress']
  readonly log: RelayRequest['log']
  readonly #incoming: ServerRequest['incoming']
  readonly #context: () => Context

  constructor({ method, params, caller, incoming, input, session, rounds }: ServerRequest, context: () => Context) {
    const { _meta, requestState, inputResponses, ...rest } = params
    const own = _meta as Fields | undefined
    const meta = forwardedMeta(own)
    const token = own?.progressToken
    const ask: RelayRequest['ask'] = (asked, about, options) => input.ask(asked, about, options)
    const progress: RelayRequest['progress'] = (report) => {
      if (token !== undefined)
        void input.tell(controlMethods.progress, { ...report, progressToken: token })?.catch(ignore)
    }
    const log: RelayRequest['log'] = (message) => {
      if (wants(caller, message)) void input.tell('notifications/message', { ...message })?.catch(ignore)
    }
    this.method = method
    this.params = meta ? { ...rest, _meta: meta } : rest
    this.meta = own
    this.caller = caller
    this.session = session
    this.wantsProgress = token !== undefined
    this.rounds = rounds
    this.ask = ask
    this.progress = progress
    this.log = log
    this.#incoming = incoming
    this.#context = context
  }

  get ctx(): Context {
    return this.#context()
  }

  get signal(): AbortSignal {
    return this.#incoming.signal
  }
}

function wants({ logLevel }: Caller, { level }: LogMessage): boolean {
  return logLevel !== undefined && logLevels.indexOf(level) >= logLevels.indexOf(logLevel)
}

// the signal reports a caller that has disconnected
function ignore(): void {}
