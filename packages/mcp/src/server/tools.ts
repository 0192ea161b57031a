import { failedTool } from '../dialects/failed-tool.ts'
import { type HeaderParam, headerParams } from '../model/header-params.ts'
import type { Tool } from '../model/types.ts'
import { type Adapted, type AnySchema, adapt, type Checked } from '../schema/adapter.ts'
import { objectSchema } from '../schema/object-schema.ts'
import { describeProblems, type SchemaProblem } from '../schema/problems.ts'
import { BadArguments, RpcError } from '../wire/errors.ts'
import { type Fields, isObject } from '../wire/messages.ts'
import { Context } from './context.ts'
import type { ToolDefinition } from './definitions.ts'
import type { Failures } from './failures.ts'
import { type FeatureHost, listedByName } from './feature.ts'
import { type NamedRequest, serveByName } from './find-by-name.ts'
import type { Offer, Registry } from './registry.ts'
import { toolResult } from './tool-result.ts'

type AnyHandler = (input: never, ctx: Context) => unknown

/** A tool as a server keeps it: described once, its schemas compiled once. */
export interface ToolEntry extends Offer {
  /** How it is listed, but for its name. */
  listed(): Promise<Omit<Tool, 'name'>>
  /** The arguments that also travel as headers; none as long as nobody has seen the schema. */
  headerParams(): readonly HeaderParam[]
  readonly input: Adapted | undefined
  readonly output: Adapted | undefined
  readonly handler: AnyHandler
  /** What extensions want to know of it, by their id. */
  readonly kept?: { readonly [extension: string]: unknown }
}

/** Takes in what an author says of a tool. */
export function toolEntry(
  name: string,
  definition: ToolDefinition<AnySchema | undefined, AnySchema | undefined>,
  handler: AnyHandler,
): ToolEntry {
  const { visible, scopes } = definition
  const input = definition.input && adapt(definition.input, { trusted: true })
  const output = definition.output && adapt(definition.output, { trusted: true })
  let headers: readonly HeaderParam[] | undefined
  let listed: Promise<Omit<Tool, 'name'>> | undefined
  return {
    visible,
    scopes,
    input,
    output,
    handler,
    headerParams() {
      headers ??= headersOf(input)
      return headers ?? noHeaders
    },
    listed() {
      listed ??= describe(name, definition, { input, output })
      return listed
    },
  }
}

const noHeaders: readonly HeaderParam[] = []

/** Nothing as long as the schema is still being worked out. */
function headersOf(input: Adapted | undefined): readonly HeaderParam[] | undefined {
  const json = input ? input.input() : {}
  if (json instanceof Promise) return undefined
  const params = headerParams(json)
  return typeof params === 'string' ? noHeaders : params
}

interface Schemas {
  readonly input: Adapted | undefined
  readonly output: Adapted | undefined
}

async function describe(
  name: string,
  { title, description, icons, annotations, meta }: ToolDefinition<AnySchema | undefined, AnySchema | undefined>,
  { input, output }: Schemas,
): Promise<Omit<Tool, 'name'>> {
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    inputSchema: input ? objectSchema(await input.input(), `the input of tool "${name}"`) : { type: 'object' },
    ...(output && { outputSchema: await output.output() }),
    ...(annotations && { annotations }),
    ...(icons && { icons }),
    ...(meta && { _meta: meta }),
  }
}

/** The tools of a server. */
export function toolsFeature(host: FeatureHost) {
  const list = host.list<Tool>({
    member: 'tools',
    items: (caller) => listedByName(registry.list(caller)),
    keyOf: ({ name }) => name,
    restricted: () => registry.restricted,
  })
  const registry: Registry<ToolEntry> = host.registry('tool', 'tools', [list])
  return {
    registry,
    registries: [{ registry, prefixed: true }],
    declares: { tools: { listChanged: true } },
    isOffered: () => registry.size > 0,
    handlers: { 'tools/list': list.serve, 'tools/call': callTool(registry, host.failures) },
  }
}

/** Serves `tools/call`: finds the tool, checks the arguments, runs the handler, checks what it returned. */
function callTool(registry: Registry<ToolEntry>, failures: Failures) {
  return serveByName(registry, {
    notFound: (name) => `Cannot call tool "${name}": no such tool`,
    run: (use) => run(use, failures),
  })
}

// without a promise where nobody needs one: a tool that answers at once is answered at once
function run(use: NamedRequest<ToolEntry>, failures: Failures): Promise<Fields> | Fields {
  const { entry, name, given } = use
  const call = (checked: Checked | undefined): Promise<Fields> | Fields => {
    if (checked?.ok === false) throw badArguments(name, checked.problems)
    return answered(use, checked ? checked.value : given, failures)
  }
  const checked = entry.input?.check(given)
  return checked instanceof Promise ? checked.then(call) : call(checked)
}

function answered(use: NamedRequest<ToolEntry>, input: unknown, failures: Failures): Promise<Fields> | Fields {
  const { entry, name, request } = use
  const fail = (error: unknown): Fields => {
    if (error instanceof RpcError) throw error
    return failedTool(failures.describe(error, `Tool "${name}"`, request.incoming))
  }
  const finish = (value: unknown): Promise<Fields> | Fields =>
    toolResult(value, { kind: 'Tool', name, output: entry.output, report: failures.report })
  let value: unknown
  try {
    value = awaitable(entry.handler(input as never, new Context(request)))
  } catch (error) {
    return fail(error)
  }
  // a result that is wrong is another thing than a handler that fails, so the second does not catch the first
  return value instanceof Promise ? value.then(finish, fail) : finish(value)
}

/** A promise where there is something to wait for: the query builders of some libraries are no promises, but have a `then`. */
function awaitable(value: unknown): unknown {
  return isObject(value) && typeof value.then === 'function' ? Promise.resolve(value) : value
}

function badArguments(name: string, problems: readonly SchemaProblem[]): BadArguments {
  return new BadArguments(`Cannot call tool "${name}": ${describeProblems(problems)}`, { problems })
}
