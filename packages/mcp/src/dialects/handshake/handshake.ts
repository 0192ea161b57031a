import { methods } from '../../model/methods.ts'
import type { Implementation } from '../../model/types.ts'
import { McpError } from '../../wire/errors.ts'
import type { Fields } from '../../wire/messages.ts'
import { describeShapeProblem } from '../../wire/shape.ts'
import { spellClientCapabilities } from '../capabilities.ts'
import { isOfInterest, readChange } from '../changes.ts'
import { plainly } from '../decode-input-request.ts'
import type { Dialect } from '../dialect.ts'
import { reusable } from '../encode-once.ts'
import { encodeResult } from '../encode-result.ts'
import { extendedFacts } from '../extended-facts.ts'
import type { Facts } from '../revision-facts.ts'
import { sessionCaller } from './caller.ts'
import { DirectInput } from './direct-input.ts'
import { spellError } from './errors.ts'
import { initialized, lifecycle } from './lifecycle.ts'
import { subscribe, unsubscribe } from './subscriptions.ts'
import { withUrlElicitation } from './url-elicitation.ts'

/** Revisions that agree on everything once, in `initialize`, and then let either side ask the other. */
export function handshake(facts: Facts): Dialect {
  const { vocabulary } = facts
  const { revision } = vocabulary
  const rows = facts.methods ?? methods
  const spell = reusable((method, result) => encodeResult(method, result, facts), rows)

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

    // what headers say in these revisions concerns the session, so its keeper checks it
    checkHeaders() {},

    async greet({ call }, self) {
      const capabilities = spellClientCapabilities(self.capabilities, facts)
      const hello = { protocolVersion: revision, capabilities, clientInfo: self.info }
      const result = await call('initialize', hello, { cancels: false, token: false })
      return readGreeting(result, facts)
    },

    sending: (link, self) => (facts.visits === 'identified' ? withUrlElicitation(link, self) : link.call),

    async watch(link, { interest, signal, onChange, onNotice }) {
      const { uris = [] } = interest
      const stop = link.listen((method, params) => {
        const change = readChange(method, params)
        if (change && isOfInterest(interest, change)) onChange(change)
        else if (!change) onNotice?.(method, params)
      })
      const enough = (): void => {
        stop()
        void Promise.allSettled(uris.map((uri) => unsubscribe(link, uri)))
      }
      signal.addEventListener('abort', enough, { once: true })
      await Promise.all(uris.map((uri) => subscribe(link, uri)))
    },

    answering: (answer) => plainly(answer, facts),

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
      const finish = (result: unknown): Fields => spell(method, result as Fields)
      const refuse = (error: unknown): Fields => spellError(error, method, facts)
      try {
        const outcome = server.handle({ method, params: incoming.params, caller, incoming, input })
        return outcome instanceof Promise ? outcome.then(finish, refuse) : finish(outcome)
      } catch (error) {
        return refuse(error)
      }
    },

    notified(method, _params, conversation) {
      if (method === 'notifications/initialized') initialized(conversation)
    },
  }
  return dialect
}

/** The revision in an answer to `initialize` may be another one, whose own words its dialect checks. */
function readGreeting(result: Fields, { vocabulary }: Facts) {
  const problem = vocabulary.client.requests.get('initialize')?.result.check(result)
  if (problem) {
    throw new McpError('InvalidResponse', `Cannot read the answer to "initialize": ${describeShapeProblem(problem)}`)
  }
  return {
    info: result.serverInfo as Implementation,
    capabilities: result.capabilities as Fields,
    instructions: result.instructions as string | undefined,
    revision: result.protocolVersion as string,
  }
}
