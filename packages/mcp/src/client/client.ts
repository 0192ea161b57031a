import { decodeChange } from '../dialects/change-notifications.ts'
import type { Dialect, Greeting, Link } from '../dialects/dialect.ts'
import type { Root } from '../model/input.ts'
import type { ServerTypes, ToolTypes } from '../model/server-types.ts'
import type {
  Change,
  Completion,
  Implementation,
  Interest,
  LogLevel,
  LogMessage,
  ServerCapabilities,
} from '../model/types.ts'
import type { Call } from '../rpc/outgoing-calls.ts'
import type { Fields } from '../wire/messages.ts'
import { ResponseCache } from './cache.ts'
import { checkCompletionTarget, checkedInterest } from './check-watch-and-completion.ts'
import type { ClientLimits } from './client-limits.ts'
import type { ClientOptions } from './client-options.ts'
import type { RequestOptions } from './client-request.ts'
import type { ClientSelf } from './client-self.ts'
import type { Added, ClientAdds, ClientHost, NoClientAdds } from './extension.ts'
import type { ClientLink } from './link.ts'
import { ClientPrompts } from './prompts.ts'
import { Requester } from './requester.ts'
import { ClientResources } from './resources.ts'
import { ClientTools } from './tools.ts'
import { Watches, type Watching } from './watches.ts'

export type { ClientPrompts } from './prompts.ts'
export type { ClientResources } from './resources.ts'
export type { ClientTools, TypedResult } from './tools.ts'
export type { Watching } from './watches.ts'

/** An argument of a prompt, or a variable of a template, to complete. */
export type CompletionTarget =
  | { readonly prompt: string; readonly argument: string }
  | { readonly template: string; readonly argument: string }

interface ClientParts {
  readonly link: ClientLink
  readonly dialect: Dialect
  readonly greeting: Greeting
  readonly self: ClientSelf
  readonly options: ClientOptions
  readonly limits: ClientLimits
}

/** A connection to one server. */
export class Client<Types extends ServerTypes = ServerTypes, Adds extends ClientAdds = NoClientAdds>
  implements AsyncDisposable
{
  readonly tools: ClientTools<Types['tools'], Added<Adds, Types, 'options'>, Added<Adds, Types, 'result'>> &
    Added<Adds, Types, 'tools'>
  readonly resources: ClientResources
  readonly prompts: ClientPrompts<Types['prompts']>
  readonly #parts: ClientParts
  readonly #requester: Requester
  readonly #watches: Watches

  /** @internal */
  constructor(parts: ClientParts) {
    this.#parts = parts
    const { link, dialect, greeting, self, options, limits } = parts
    const send = dialect.sending(link, self)
    const cache = options.cache === false ? undefined : new ResponseCache(limits)
    const { capabilities } = greeting
    self.extensions.connect(this.#host(send))
    this.#requester = new Requester({
      dialect,
      capabilities,
      send,
      options,
      callOptions: self.extensions.callOptions,
      interceptors: [...(cache ? [cache.intercept] : []), ...(options.use ?? []), ...self.extensions.interceptors],
      warn: self.warn,
    })
    this.#watches = new Watches(sendingLink(link, send), dialect, (change) => cache?.invalidate(change))
    const tools = new ClientTools<Types['tools'], object, object>(this.#requester, {
      limits,
      labels: dialect.http.labels,
      warn: self.warn,
      outdated: () => cache?.invalidate({ kind: 'tools' }),
    })
    this.tools = tools as typeof this.tools
    self.extensions.addTo(this, tools)
    this.prompts = new ClientPrompts(this.#requester, limits)
    this.resources = new ClientResources(this.#requester, {
      limits,
      watch: (uri, onChange) => this.watch({ uris: [uri] }, onChange),
    })
    link.listen((method, params, during) => {
      const change = decodeChange(method, params)
      if (change) cache?.invalidate(change)
      if (method === 'notifications/message') options.onLog?.(params as unknown as LogMessage, during)
      self.extensions.notified(method, params)
    })
  }

  /** The revision both sides agreed on. */
  get revision(): string {
    return this.#parts.dialect.revision
  }

  /** The server's name and version; self-reported, so never a reason to trust it. */
  get server(): Implementation | undefined {
    return this.#parts.greeting.info
  }

  get capabilities(): ServerCapabilities {
    return this.#parts.greeting.capabilities
  }

  /** Instructions for using the server, for a model. */
  get instructions(): string | undefined {
    return this.#parts.greeting.instructions
  }

  /** Resolves when the connection is closed, with the reason if there was one. */
  get whenClosed(): Promise<Error | undefined> {
    return this.#parts.link.whenClosed
  }

  /** Counts of this client: zero when no call is in flight and nothing is watched. */
  get live(): { readonly pending: number; readonly serving: number; readonly watching: number } {
    const { pending, serving } = this.#parts.link.live
    return { pending, serving, watching: this.#watches.size }
  }

  /** Calls back on changes of interest, until the returned watch is closed. */
  async watch(interest: Interest, onChange: (change: Change) => void): Promise<Watching> {
    return this.#watches.start(checkedInterest(interest, onChange), onChange)
  }

  /** Suggestions for an argument that starts with `value`. */
  async complete(
    target: CompletionTarget,
    value: string,
    others?: { readonly [name: string]: string },
  ): Promise<Completion> {
    checkCompletionTarget(target)
    const ref =
      'prompt' in target ? { type: 'ref/prompt', name: target.prompt } : { type: 'ref/resource', uri: target.template }
    const context = others ? { context: { arguments: others } } : {}
    const params = { ref, argument: { name: target.argument, value }, ...context }
    return (await this.#requester.request('completion/complete', params)).completion as Completion
  }

  /** Sets the minimum level of log messages. */
  async setLogLevel(level: LogLevel): Promise<void> {
    this.#parts.self.setLogLevel(level)
    // revisions without a level in each request have a method for it
    if (this.#requester.offers('logging/setLevel')) await this.#requester.request('logging/setLevel', { level })
  }

  /** Changes the roots, and notifies the server where the revision can. */
  async setRoots(roots: readonly Root[]): Promise<void> {
    const { self, link, dialect } = this.#parts
    self.setRoots(roots)
    const notice = 'notifications/roots/list_changed'
    if (dialect.vocabulary.client.notifications.has(notice)) await link.notify(notice, {})
  }

  /** Resolves when the server answers. */
  async ping(options?: RequestOptions): Promise<void> {
    await this.#requester.request(this.#requester.offers('ping') ? 'ping' : 'server/discover', {}, options)
  }

  /**
   * Sends any request of the revision and returns the unchanged result: for proxies, and for methods without a
   * function here.
   */
  request(method: string, params: Fields, options?: RequestOptions): Promise<Fields> {
    // header parameters of a tool are sent for these calls too
    if (method === 'tools/call') return this.tools.send(params, options)
    return this.#requester.request(method, params, options)
  }

  async close(): Promise<void> {
    this.#watches.stopAll()
    this.#parts.self.extensions.close()
    await this.#parts.link.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #host(send: Call): ClientHost {
    const { link, dialect, greeting, self, limits } = this.#parts
    const { capabilities } = greeting
    return {
      dialect,
      capabilities,
      limits,
      gone: link.gone,
      answer: dialect.answering(self.plainAnswer),
      request: (method, params, options) => this.#requester.request(method, params, options),
      // an extension calls without the options that others add
      callTool: (name, input, options) => (this.tools as ClientTools<ToolTypes>).call(name, input, options),
      offers: (method) => this.#requester.offers(method),
      warn: self.warn,
      async listen(filter, listener) {
        let honoured: Fields | undefined
        const onAgreed = (agreed: Fields): void => {
          honoured = agreed
        }
        const watch = { interest: {}, filter, onChange() {}, onAgreed, ...listener }
        await dialect.watch(sendingLink(link, send), watch)
        return honoured
      },
    }
  }
}

function sendingLink(link: ClientLink, call: Call): Link {
  return { call, notify: link.notify, listen: (listener) => link.listen(listener), gone: link.gone }
}
