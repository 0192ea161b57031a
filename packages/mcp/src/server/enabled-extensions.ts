import type { ClusterMember } from '../cluster/member.ts'
import type { Asking, Caller, ListenExtension, ServerHandler, ServerRequest } from '../dialects/dialect.ts'
import { assertExtensionIds } from '../model/extension-id.ts'
import type { ServerCapabilities, Tool } from '../model/types.ts'
import type { Sender } from '../rpc/channel.ts'
import { compose, type Interceptor } from '../rpc/interceptor.ts'
import type { Fields } from '../wire/messages.ts'
import { type Context, requestOf } from './context.ts'
import { toolFields } from './definition-fields.ts'
import { extendedContext } from './extended-context.ts'
import { afterHandler, type ExtendedTool, withAfter } from './extended-tool.ts'
import type { ServerExtension, ServerHost, ServerPart, ToolAddition, ToolCall, ToolRun } from './extension.ts'
import type { ToolEntry } from './tool-entry.ts'

type Handler = (input: never, ctx: Context) => unknown

interface On {
  readonly id: string
  readonly part: ServerPart
}

export interface ExtensionsHost extends Omit<ServerHost, 'tool' | 'keep'> {
  /** Finds a tool by name, and the data that extensions stored with it. */
  find(name: string, caller: Caller): Pick<ToolEntry, 'kept' | 'listed'> | undefined
}

/** The enabled extensions of one server. */
export class Extensions {
  readonly #all: readonly On[]
  readonly #fields: ReadonlySet<string>
  readonly #extended: ExtendedTool
  readonly #running: readonly ServerPart[]
  readonly #runs: readonly Interceptor<ToolRun>[]
  #hasStarted = false

  constructor(extensions: readonly ServerExtension[], host: ExtensionsHost) {
    assertExtensionIds(extensions)
    const all = extensions.map(({ id, server }) => ({ id, part: server?.(hostOf(id, host)) ?? {} }))
    // the order of the list counts among the others only
    this.#all = all.toSorted(
      (one, other) => Number(one.part.innermost ?? false) - Number(other.part.innermost ?? false),
    )
    this.#fields = new Set([...toolFields, ...this.#all.flatMap(({ part }) => part.fields ?? [])])
    const parts = this.#all.map(({ part }) => part)
    this.#extended = {
      Context: extendedContext(parts.flatMap(({ context }) => (context ? [context] : []))),
      after: afterHandler(parts),
    }
    this.#running = parts.filter(({ run }) => run !== undefined)
    this.#runs = this.#running.map(whereItRuns)
  }

  /** The server's capabilities together with those of the extensions. */
  declared(own: ServerCapabilities, sender?: Sender): ServerCapabilities {
    if (this.#all.length === 0) return own
    const settings = this.#all.flatMap(({ id, part: { settings: of = {} } }) => {
      const given = typeof of === 'function' ? of(sender) : of
      return given === undefined ? [] : [[id, given]]
    })
    const capabilities = this.#all.map(({ part }) =>
      typeof part.capabilities === 'function' ? part.capabilities(sender) : part.capabilities,
    )
    return Object.assign({}, ...capabilities, own, {
      extensions: Object.fromEntries(settings),
    })
  }

  /** Serves the methods of extensions, and wraps all others with their interceptors. */
  around(dispatch: ServerHandler): ServerHandler {
    if (this.#all.length === 0) return dispatch
    const own = new Map(this.#all.flatMap(({ part }) => Object.entries(part.serve ?? {})))
    const either: ServerHandler = (request) => (own.get(request.method) ?? dispatch)(request)
    return compose(
      this.#all.flatMap(({ part }) => part.intercept ?? []),
      either,
    )
  }

  /** The members that the definition of a tool may have. */
  get toolFields(): ReadonlySet<string> {
    return this.#fields
  }

  /** Applies the extensions to a tool. */
  tool(name: string, definition: object, plain: ToolEntry): ToolEntry {
    if (this.#all.length === 0) return plain
    const additions = this.#additions(name, definition)
    const entry = { ...plain, extended: this.#extended }
    if (additions.length === 0) return entry
    const listed = additions.flatMap(([, { listed }]) => listed ?? [])
    const visible = visibleByAll([entry.visible, ...additions.map(([, addition]) => addition.visible)])
    return {
      ...entry,
      ...(visible && { visible }),
      kept: keptOf(additions),
      listed: async () => listed.reduce<Listed>(merged, await entry.listed()),
    }
  }

  /** The data that extensions store for a relayed tool. */
  kept(name: string, definition: object): Pick<ToolEntry, 'kept' | 'listed'> {
    return { kept: keptOf(this.#additions(name, definition)), listed: async () => definition as Listed }
  }

  /** Serves every request with one function; its context has the members of the extensions. */
  passing(serve: (context: () => Context, request: ServerRequest) => ReturnType<ServerHandler>): ServerHandler {
    const { Context, after } = this.#extended
    const run = compose<ToolRun>(this.#runs, ({ ctx, request }) => serve(() => ctx, request))
    const handled: ServerHandler = (request) =>
      this.#isWrapped(request)
        ? (run(this.#call(request.params.arguments, request)) as ReturnType<ServerHandler>)
        : serve(() => new Context(request), request)
    return (request) =>
      request.method === 'tools/call'
        ? withAfter(after, request, () => handled(request) as Promise<Fields> | Fields)
        : serve(() => new Context(request), request)
  }

  /** Wraps a handler for the calls in which an extension does. */
  handler<Own extends Handler>(handler: Own): Own {
    if (this.#runs.length === 0) return handler
    const run = compose<ToolRun>(this.#runs, ({ input, ctx }) => handler(input as never, ctx))
    const wrapped: Handler = (input, ctx) => {
      const request = requestOf(ctx)
      return this.#isWrapped(request) ? run(this.#call(input, request, ctx)) : handler(input, ctx)
    }
    return wrapped as Own
  }

  /** Makes the extensions part of one of several processes. */
  join(member: ClusterMember): void {
    for (const { part } of this.#all) part.join?.(member)
  }

  /** Starts the extensions, once. */
  start(): void {
    if (this.#hasStarted) return
    this.#hasStarted = true
    for (const { part } of this.#all) part.start?.()
  }

  /** Their reports to listening clients. */
  get listen(): ((filter: Fields, asking: Asking) => Promise<readonly ListenExtension[]>) | undefined {
    const parts = this.#all.filter(({ part }) => part.listen !== undefined)
    if (parts.length === 0) return undefined
    return async (filter, asking) => {
      const all = await Promise.all(parts.map(({ part }) => part.listen?.(filter, asking)))
      return all.filter((each) => each !== undefined)
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#all.map(({ part }) => part.close?.()))
  }

  #additions(name: string, definition: object): readonly [string, ToolAddition][] {
    return this.#all.flatMap(({ id, part }) => {
      const addition = part.tool?.(name, definition as Fields)
      return addition ? [[id, addition]] : []
    })
  }

  #isWrapped(request: ServerRequest): boolean {
    for (const part of this.#running) if (part.runs === undefined || part.runs(request)) return true
    return false
  }

  #call(input: unknown, request: ServerRequest, ctx: Context = new this.#extended.Context(request)): ToolCall {
    return {
      input,
      request,
      ctx,
      withRequest: (other) => this.#call(input, other),
    }
  }
}

/** The wrapper of a handler, entered only in the calls that it is for. */
function whereItRuns(part: ServerPart): Interceptor<ToolRun> {
  return (next) => {
    const wrapped = part.run?.(next) ?? next
    return (call) => (part.runs === undefined || part.runs(call.request) ? wrapped(call) : next(call))
  }
}

function hostOf(id: string, { find, ...host }: ExtensionsHost): ServerHost {
  return {
    ...host,
    keep: (name, caller) => find(name, caller)?.kept?.[id],
    tool(name, caller) {
      const entry = find(name, caller)
      return entry && { keep: entry.kept?.[id], listed: () => entry.listed() }
    },
  }
}

function keptOf(additions: readonly [string, ToolAddition][]): NonNullable<ToolEntry['kept']> {
  const kept: { [extension: string]: unknown } = {}
  for (const [id, { keep }] of additions) kept[id] = keep
  return kept
}

type Visible = NonNullable<ToolAddition['visible']>

/** Visible to those who may see it by every rule there is. */
function visibleByAll(rules: readonly (Visible | undefined)[]): Visible | undefined {
  const all = rules.filter((rule) => rule !== undefined)
  return all.length === 0 ? undefined : (caller) => all.every((rule) => rule(caller))
}

type Listed = Omit<Tool, 'name'>

function merged(tool: Listed, more: Partial<Tool>): Listed {
  return { ...tool, ...more, ...(tool._meta && { _meta: { ...more._meta, ...tool._meta } }) }
}
