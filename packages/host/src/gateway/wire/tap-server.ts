import { BoundedMap } from '@trunkline/base/bounded-map'
import type { Fields } from '@trunkline/mcp'
import { type Channel, type ChannelTap, type Id, type Message, type Sender, tapChannel } from '@trunkline/mcp/client'
import { Openings } from './openings.ts'
import type { WireAct, WireLog } from './wire-log.ts'

/** Requests to one server that may be under way. */
const maxUnderWay = 1_000
let connections = 0

/** A channel to a server whose messages can be watched; its opening is always kept. */
export function tapServer(channel: Channel, log: WireLog, openings: Openings): Channel {
  return tapChannel(channel, new ServerTap(log, openings))
}

/** Messages on a connection with a server. */
class ServerTap implements ChannelTap {
  readonly #log: WireLog
  readonly #openings: Openings
  readonly #connection: string
  readonly #underWay = new BoundedMap<Id, WireAct>(maxUnderWay)
  readonly #tokens = new BoundedMap<unknown, WireAct>(maxUnderWay)
  readonly #asked = new BoundedMap<Id, WireAct>(maxUnderWay)

  constructor(log: WireLog, openings: Openings) {
    this.#log = log
    this.#openings = openings
    connections += 1
    this.#connection = `s${connections}`
  }

  isOn(message: Message | readonly Message[]): boolean {
    return this.#log.isOpen || this.#openings.isWaiting || Openings.isOne(message)
  }

  sent(message: Message): void {
    this.#openings.sent(message)
    if (!this.#log.isOpen) return
    const act = 'method' in message ? this.#log.current : this.#asked.take(message.id as Id)
    if (!act) return
    if ('method' in message && 'id' in message) {
      this.#underWay.set(message.id, act)
      const token = (message.params?._meta as Fields | undefined)?.progressToken
      if (token !== undefined) this.#tokens.set(token, act)
    }
    this.#keep(act, 'sent', message)
  }

  received(message: Message, sender: Sender | undefined, next: () => void): void {
    this.#openings.received(message)
    const act = this.#actOf(message, sender)
    if (act) {
      if ('method' in message && 'id' in message) this.#asked.set(message.id, act)
      this.#keep(act, 'received', message)
    }
    next()
  }

  #actOf(message: Message, sender: Sender | undefined): WireAct | undefined {
    if (!('method' in message)) return this.#underWay.take(message.id as Id)
    const token = (message.params as Fields | undefined)?.progressToken
    if (token !== undefined) return this.#tokens.get(token)
    if (sender?.relatedTo !== undefined) return this.#underWay.get(sender.relatedTo)
    // a message that fits more than one call is assigned to none
    const [only, another] = new Set(this.#underWay.values())
    return another ? undefined : only
  }

  #keep(act: WireAct, direction: 'sent' | 'received', message: Message): void {
    if (!this.#log.isOpen) return
    const passed = { hop: 'server', direction, connection: this.#connection } as const
    this.#log.message(act, passed, message as unknown as Fields)
  }
}
