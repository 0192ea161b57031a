import { methods } from '../../model/features.ts'
import type { Implementation } from '../../model/types.ts'
import type { Incoming } from '../../rpc/incoming.ts'
import type { Call } from '../../rpc/outgoing-calls.ts'
import {
  BadArguments,
  InvalidParams,
  InvalidRequest,
  ResourceNotFound,
  RpcError,
  UrlElicitationRequired,
} from '../../wire/errors.ts'
import type { Fields } from '../../wire/messages.ts'
import { constantMember } from '../../wire/write-result.ts'
import { answerInRevision } from '../decode-input-request.ts'
import {
  type ClientInput,
  type Dialect,
  type Greeting,
  InputRequired,
  type Rounds,
  type ServerSide,
} from '../dialect.ts'
import { encodeClientCapabilities, encodeServerCapabilities } from '../encode-capabilities.ts'
import { encodeOnce } from '../encode-once.ts'
import { pick } from '../encode-result.ts'
import { extendedFacts } from '../extended-facts.ts'
import { failedTool } from '../failed-tool.ts'
import { readOpening } from '../read-opening.ts'
import type { Facts } from '../revision-facts.ts'
import { checkHeaders, checkParamHeaders } from './headers.ts'
import { withInputRounds } from './input-rounds.ts'
import { NoInput } from './no-input.ts'
import { openRounds } from './relayed-rounds.ts'
import type { ReplayContext } from './replay-context.ts'
import { ReplayedInput, resumed } from './replayed-input.ts'
import { callerFromMeta, meta } from './request-meta.ts'
import { sendListen } from './send-listen.ts'
import { serveListen } from './serve-listen.ts'

/** The dialect of revisions without a handshake: every request carries its metadata. */
export function stateless(facts: Facts): Dialect {
  const { vocabulary } = facts
  const { revision } = vocabulary
  const rows = facts.methods ?? methods
  const resultTypes = facts.resultTypes ?? new Map()
  const sealers = new WeakMap<Implementation, ReturnType<typeof sealing>>()
  const sealFor = ({ info }: ServerSide) => {
    const known = sealers.get(info)
    if (known) return known
    const seal = sealing(info, facts)
    sealers.set(info, seal)
    return seal
  }

  const dialect: Dialect = {
    revision,
    vocabulary,
    methods: rows,
    resultTypes,
    extended: (extensions) => stateless(extendedFacts(facts, extensions)),
    batches: facts.batches,
    opening: 'none',
    unreadableId: facts.unreadableId,
    http: facts.http,
    checkHeaders(incoming) {
      const { method } = incoming
      // an unknown method is refused as such, whatever its headers say
      checkHeaders(incoming, vocabulary.client.requests.has(method) ? rows.get(method)?.named : undefined)
    },

    async greet(link, self) {
      const result = await dialect.sending(link, self)('server/discover', {}, { token: false })
      return readGreeting(readOpening('server/discover', result, { vocabulary, self }), facts)
    },

    sending(link, self) {
      const requestMeta = {
        [meta.version]: revision,
        [meta.clientInfo]: self.info,
        [meta.clientCapabilities]: encodeClientCapabilities(self.capabilities, facts),
      }
      const call = withInputRounds(
        link,
        { ...self, answer: answerInRevision(self.answer, facts) },
        { requestMeta, vocabulary, resultTypes },
      )
      return self.relays ? withNotFound(call) : call
    },

    watch: sendListen,

    answering: (answer) => answerInRevision(answer, facts),

    receive(incoming, conversation) {
      const { server } = conversation
      const { method } = incoming
      const seal = sealFor(server)
      if (method === 'server/discover') return seal(method, discovered(server, incoming, facts))
      if (method === 'subscriptions/listen')
        return serveListen(incoming, conversation, facts).then((result) => seal(method, result))
      const context: ReplayContext = { incoming, caller: callerFromMeta(incoming), facts, server }
      const finish = (result: Fields | InputRequired): Fields => seal(method, result)
      const refuse = (error: unknown): Fields => seal(method, encodeError(error, facts))
      if (method === 'tools/call' && incoming.sender?.headers) {
        checkParamHeaders(incoming, server.headerParams(incoming.params.name as string, context.caller))
      }
      const run = (input: ClientInput, rounds?: Rounds): Promise<Fields> | Fields => {
        const { caller } = context
        const outcome = server.handle({
          method,
          params: incoming.params,
          caller,
          incoming,
          input,
          limits: server.limits,
          // over HTTP all callers share one conversation
          session: conversation.notify && conversation,
          ...(rounds && { rounds }),
        })
        return outcome instanceof Promise ? outcome.then(finish, refuse) : finish(outcome)
      }
      if (!rows.get(method)?.asks) return run(new NoInput(incoming))
      if (server.relays) return openRounds(context).then((rounds) => run(new NoInput(incoming), rounds), refuse)
      if (incoming.params.requestState !== undefined) return resumed(context).then(run)
      try {
        return run(new ReplayedInput(context))
      } catch (error) {
        return refuse(error)
      }
    },

    // the peer handles cancellation and progress, and there are no other client notifications
    notified() {},
  }
  return dialect
}

/** Names a missing resource as other revisions do, for callers of those; for callers of this one it is named back. */
function withNotFound(call: Call): Call {
  return (method, params, options) => {
    const answer = call(method, params, options)
    return method === 'resources/read' ? answer.catch(notFound) : answer
  }
}

function notFound(error: unknown): never {
  if (!(error instanceof RpcError) || error.code !== InvalidParams) throw error
  throw new RpcError(ResourceNotFound, error.message, error.data)
}

function readGreeting(result: Fields, { vocabulary }: Facts): Greeting {
  const { revision } = vocabulary
  const told = result._meta as Fields | undefined
  const versions = result.supportedVersions as readonly string[]
  return {
    info: told?.[meta.serverInfo] as Implementation | undefined,
    capabilities: result.capabilities as Fields,
    instructions: result.instructions as string | undefined,
    revision: versions.includes(revision) ? revision : (versions[0] ?? revision),
  }
}

function discovered(server: ServerSide, incoming: Incoming, facts: Facts): Fields {
  const { dialects, cache } = server
  const instructions = server.instructions(callerFromMeta(incoming))
  return {
    supportedVersions: dialects.map((dialect) => dialect.revision),
    capabilities: encodeServerCapabilities(server.declares(incoming.sender), facts),
    ...(instructions !== undefined && { instructions }),
    ttlMs: cache.ttlMs,
    cacheScope: cache.scope,
  }
}

/** Adds the members that every result of this revision has. */
function sealing(info: Implementation, facts: Facts): (method: string, result: Fields | InputRequired) => Fields {
  const told = constantMember({ [meta.serverInfo]: info })
  // the first spread is a fast copy of the whole object
  const encode = (method: string, result: Fields): Fields => ({
    ...(method === 'tools/list' ? encodeTools(result, facts) : result),
    resultType: result.resultType ?? 'complete',
    _meta: result._meta ? { ...told, ...(result._meta as Fields) } : told,
  })
  const complete = encodeOnce(encode, facts.methods ?? methods)
  return (method, result) => {
    if (!(result instanceof InputRequired)) return complete(method, result)
    return { resultType: 'input_required', inputRequests: result.requests, requestState: result.state, _meta: told }
  }
}

/** Leaves out the members of tools that only other revisions have. */
function encodeTools(result: Fields, { vocabulary: { types } }: Facts): Fields {
  const tools = result.tools as readonly Fields[]
  if (tools.every(({ execution }) => execution === undefined)) return result
  return { ...result, tools: tools.map((tool) => pick(tool, types, 'Tool')) }
}

/** Rethrows an error with the error codes of this revision, or returns a failed tool result. */
function encodeError(error: unknown, { badArguments }: Facts): Fields {
  if (!(error instanceof RpcError)) throw error
  if (error instanceof BadArguments && badArguments === 'result') return failedTool(error.message)
  if (error.code === ResourceNotFound) throw new RpcError(InvalidParams, error.message, error.data)
  if (error.code === UrlElicitationRequired) throw new RpcError(InvalidRequest, error.message)
  throw error
}
