import type { AnswerInput } from '../dialects/dialect.ts'
import { assertExtensionIds } from '../model/extension-id.ts'
import type { ClientCapabilities } from '../model/input.ts'
import { compose, type Interceptor } from '../rpc/interceptor.ts'
import { McpError } from '../wire/errors.ts'
import type { Fields } from '../wire/messages.ts'
import { callOptionNames } from './call-options.ts'
import type { ClientHandler } from './client-request.ts'
import type { ClientExtension, ClientHost, ClientPart, ClientStart, ConnectedPart } from './extension.ts'

/** The enabled extensions of one client. */
export class ClientExtensions {
  readonly #all: readonly { readonly id: string; readonly part: ClientPart }[]
  #connected: readonly ConnectedPart[] = []

  constructor(extensions: readonly ClientExtension[], start: ClientStart) {
    assertExtensionIds(extensions)
    this.#all = extensions.map(({ id, client }) => ({ id, part: client?.(start) ?? {} }))
  }

  /** The client's capabilities together with those of the extensions. */
  declared(own: ClientCapabilities): ClientCapabilities {
    if (this.#all.length === 0) return own
    const settings = this.#all.map(({ id, part }) => [id, part.settings ?? {}])
    const capabilities = this.#all.map(({ part }) =>
      typeof part.capabilities === 'function' ? part.capabilities(own) : part.capabilities,
    )
    return Object.assign({}, ...capabilities, own, {
      extensions: Object.fromEntries(settings),
    })
  }

  /** The options that a call may have, with those of the extensions. */
  get callOptions(): ReadonlySet<string> {
    return callOptionNames(this.#all.flatMap(({ part }) => part.callOptions ?? []))
  }

  /** Answers the requests of a server, through the extensions. */
  answering(answer: AnswerInput): AnswerInput {
    return compose(
      this.#all.flatMap(({ part }) => part.answer ?? []),
      answer,
    )
  }

  /** Connects the extensions; from now on they can send requests. */
  connect(host: ClientHost): void {
    this.#connected = this.#all.flatMap(({ part }) => part.connected?.(host) ?? [])
  }

  get interceptors(): readonly Interceptor<ClientHandler>[] {
    // the order of the list counts among the others only
    const inwards = this.#connected.toSorted(
      (one, other) => Number(other.outermost ?? false) - Number(one.outermost ?? false),
    )
    return inwards.flatMap(({ intercept }) => intercept ?? [])
  }

  /** Adds the members of extensions to a client and its tools. */
  addTo(client: object, tools: object): void {
    for (const { client: members, tools: toolMembers } of this.#connected) {
      if (members) addMembers(client, members, 'the client')
      if (toolMembers) addMembers(tools, toolMembers, '"tools"')
    }
  }

  notified(method: string, params: Fields): void {
    for (const each of this.#connected) each.notified?.(method, params)
  }

  close(): void {
    for (const each of this.#connected) each.close?.()
  }
}

function addMembers(target: object, members: object, what: string): void {
  const taken = Object.keys(members).find((name) => name in target)
  if (taken !== undefined)
    throw new McpError('Misuse', `Cannot enable an extension: ${what} has a member "${taken}" already`)
  Object.defineProperties(target, Object.getOwnPropertyDescriptors(members))
}
