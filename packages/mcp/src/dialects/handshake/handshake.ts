import { methods } from '../../model/features.ts'
import type { Implementation } from '../../model/types.ts'
import type { Fields } from '../../wire/messages.ts'
import { decodeChange, isOfInterest } from '../change-notifications.ts'
import { answerInRevision } from '../decode-input-request.ts'
import type { Dialect } from '../dialect.ts'
import { encodeClientCapabilities } from '../encode-capabilities.ts'
import { encodeOnce } from '../encode-once.ts'
import { encodeResult } from '../encode-result.ts'
import { extendedFacts } from '../extended-facts.ts'
import { readOpening } from '../read-opening.ts'
import type { Facts } from '../revision-facts.ts'
import { sessionCaller } from './caller.ts'
import { DirectInput } from './direct-input.ts'
import { encodeError } from './encode-error.ts'
import { initialized, lifecycle } from './lifecycle.ts'
import { sendSubscribe, sendUnsubscribe } from './send-subscriptions.ts'
import { withUrlElicitation } from './url-elicitation.ts'

/** The dialect of revisions with a handshake: `initialize` once, then requests in both directions. */
export function handshake(facts: Facts): Dialect {
  const { vocabulary } = facts
  const { revision } = vocabulary
  const rows = facts.methods ?? methods
  const encode = encodeOnce((method, result) => encodeResult(method, result, facts), rows)

  const dialect: Dialect = {
    revision,
    vocabulary,
    methods: rows,
    resultTypes: new Map(),
    extended: (extensions) =>
      handshake(
        extendedFacts(
          facts,
          extensions.filter((each) => each.handshake === true),
        ),
      ),
    batches: facts.batches,
    opening: 'handshake',
    unreadableId: facts.unreadableId,
    http: facts.http,

    // the session endpoint checks the headers of these revisions
    checkHeaders() {},

    async greet({ call }, self) {
      const capabilities = encodeClientCapabilities(self.capabilities, facts)
      const hello = { protocolVersion: revision, capabilities, clientInfo: self.info }
      const result = await call('initialize', hello, { cancels: false, token: false })
      return readGreeting(readOpening('initialize', result, { vocabulary, self }))
    },

    sending: (link, self) => (facts.visits === 'identified' ? withUrlElicitation(link, self) : link.call),

    async watch(link, { interest, signal, onChange, onNotice }) {
      const { uris = [] } = interest
      const stop = link.listen((method, params) => {
        const change = decodeChange(method, params)
        if (change && isOfInterest(interest, change)) onChange(change)
        else if (!change) onNotice?.(method, params)
      })
      const enough = (): void => {
        stop()
        void Promise.allSettled(uris.map((uri) => sendUnsubscribe(link, uri)))
      }
      signal.addEventListener('abort', enough, { once: true })
      await Promise.all(uris.map((uri) => sendSubscribe(link, uri)))
    },

    answering: (answer) => answerInRevision(answer, facts),

    receive(incoming, conversation) {
      const { method } = incoming
      const own = lifecycle.get(method)
      if (own) return own(incoming, conversation, { dialect, facts })
      const { server } = conversation
      const caller = sessionCaller(incoming, conversation)
      const input = new DirectInput(incoming, caller, {
        facts,
        limits: server.limits,
        hasWayBack: conversation.notify !== undefined,
      })
      const finish = (result: unknown): Fields => encode(method, result as Fields)
      const refuse = (error: unknown): Fields => encodeError(error, method, facts)
      try {
        const session = conversation.notify && conversation
        const outcome = server.handle({
          method,
          params: incoming.params,
          caller,
          incoming,
          input,
          limits: server.limits,
          session,
        })
        return outcome instanceof Promise ? outcome.then(finish, refuse) : finish(outcome)
      } catch (error) {
        return refuse(error)
      }
    },

    notified(method, _params, conversation) {
      if (method === 'notifications/initialized') initialized(conversation, facts)
    },
  }
  return dialect
}

/** Reads the answer to `initialize`; when it names another revision, that dialect checks it. */
function readGreeting(result: Fields) {
  return {
    info: result.serverInfo as Implementation,
    capabilities: result.capabilities as Fields,
    instructions: result.instructions as string | undefined,
    revision: result.protocolVersion as string,
  }
}
