import { BoundedMap } from '@trunkline/base/bounded-map'
import type { Fields } from '@trunkline/mcp'
import {
  type Channel,
  type ChannelTap,
  type Id,
  type Message,
  type Sender,
  type SendOptions,
  tapChannel,
} from '@trunkline/mcp/client'
import type { Relay } from '@trunkline/mcp/relay'
import type { CallerHttp } from './caller-http.ts'
import { CallerExchange, type WireAct, type WireLog } from './wire-log.ts'

type Answer = ReturnType<Relay['answering']>
type CallerRequest = Parameters<Answer>[0]

/** Requests of one connection that may be under way. */
const maxUnderWay = 1_000
let connections = 0

/** An address of the gateway whose messages to and from callers can be watched. */
export function tapFront(front: Relay, log: WireLog, https: CallerHttp): Relay {
  return {
    serve: (channel) => front.serve(tapCaller(channel, log, https)),
    answering(ending) {
      const answer = front.answering(ending)
      return (incoming, revision) =>
        log.isOpen ? seen(log, https, incoming, () => answer(incoming, revision)) : answer(incoming, revision)
    },
    report: (error, what) => front.report(error, what),
    dialects: front.dialects,
    get connections() {
      return front.connections
    },
    close: () => front.close(),
  }
}

/** A request that is a conversation of its own. */
function seen(log: WireLog, https: CallerHttp, incoming: CallerRequest, answer: () => Promise<Fields> | Fields) {
  const { id, method, params, sender } = incoming
  const exchange = new CallerExchange()
  const connection = nextConnection()
  exchange.onAct = (act) => {
    log.message(act, { hop: 'caller', direction: 'received', connection }, { jsonrpc: '2.0', id, method, params })
    https.note(sender, act, log)
  }
  const answered = (end: Fields) => {
    const passed = { hop: 'caller', direction: 'sent', connection } as const
    for (const act of exchange.acts) log.message(act, passed, { jsonrpc: '2.0', id, ...end })
  }
  const outcome = log.serving(exchange, answer)
  if (!(outcome instanceof Promise)) {
    answered({ result: outcome })
    return outcome
  }
  outcome.then(
    (result) => answered({ result }),
    (error: Partial<Error & { code: number }>) => answered({ error: { code: error.code, message: error.message } }),
  )
  return outcome
}

function tapCaller(channel: Channel, log: WireLog, https: CallerHttp): Channel {
  return tapChannel(channel, new CallerTap(log, https))
}

/** Messages on a connection with a caller. */
class CallerTap implements ChannelTap {
  readonly #log: WireLog
  readonly #https: CallerHttp
  readonly #connection = nextConnection()
  readonly #underWay = new BoundedMap<Id, CallerExchange>(maxUnderWay)
  /** Acts of the requests to the caller, by the id of the request. */
  readonly #asked = new BoundedMap<Id, readonly WireAct[]>(maxUnderWay)

  constructor(log: WireLog, https: CallerHttp) {
    this.#log = log
    this.#https = https
  }

  isOn(): boolean {
    return this.#log.isOpen
  }

  received(message: Message, sender: Sender | undefined, next: () => void): void {
    if (!('method' in message)) {
      this.#keep(this.#asked.take(message.id as Id) ?? [], 'received', message)
      return next()
    }
    if (!('id' in message)) return next()
    const exchange = new CallerExchange()
    exchange.onAct = (act) => {
      this.#keep([act], 'received', message)
      this.#https.note(sender, act, this.#log)
    }
    this.#underWay.set(message.id, exchange)
    this.#log.serving(exchange, next)
  }

  sent(message: Message, options: SendOptions | undefined): void {
    if (!('method' in message)) {
      return this.#keep(this.#underWay.take(message.id as Id)?.acts ?? [], 'sent', message)
    }
    const { relatedTo } = options ?? {}
    const acts = relatedTo === undefined ? [] : (this.#underWay.get(relatedTo)?.acts ?? [])
    if ('id' in message) this.#asked.set(message.id, acts)
    this.#keep(acts, 'sent', message)
  }

  #keep(acts: readonly WireAct[], direction: 'sent' | 'received', message: Message): void {
    const passed = { hop: 'caller', direction, connection: this.#connection } as const
    for (const act of acts) this.#log.message(act, passed, message as unknown as Fields)
  }
}

function nextConnection(): string {
  connections += 1
  return `c${connections}`
}
