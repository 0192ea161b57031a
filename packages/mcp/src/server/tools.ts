import type { ServerRequest } from '../dialects/dialect.ts'
import { failedTool } from '../dialects/failed-tool.ts'
import type { Tool } from '../model/types.ts'
import type { Checked } from '../schema/adapter.ts'
import { describeProblems, type SchemaProblem } from '../schema/problems.ts'
import { BadArguments, RpcError } from '../wire/errors.ts'
import { type Fields, isObject } from '../wire/messages.ts'
import { countCall } from './call-rates.ts'
import { Context } from './context.ts'
import { type FeatureHost, listedByName } from './feature.ts'
import { type NamedRequest, serveByName } from './find-by-name.ts'
import type { Failures } from './handler-errors.ts'
import type { Registry } from './registry.ts'
import type { ToolEntry } from './tool-entry.ts'
import { toolResult } from './tool-result.ts'

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
    handlers: { 'tools/list': list.serve, 'tools/call': callTool(registry, host) },
  }
}

/** Serves `tools/call`: finds the tool, checks the arguments, runs the handler, checks the result. */
function callTool(registry: Registry<ToolEntry>, { failures, limiter, paced }: FeatureHost) {
  return serveByName(registry, {
    admit({ item, home }, request) {
      // a mounted server counts the calls of its tools itself
      const own = home ? undefined : item.paced
      return paced || own ? countCall(limiter, [paced, own], request) : undefined
    },
    notFound: (name) => `Cannot call tool "${name}": no such tool`,
    run: (use) => run(use, failures),
  })
}

// no promise where none is needed: a synchronous tool is answered synchronously
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
  const after = entry.extended?.after
  const fail = (error: unknown): Promise<Fields> | Fields => {
    const pending = after?.failed(request, error)
    return pending ? pending.then(() => failed(use, error, failures)) : failed(use, error, failures)
  }
  const finish = (value: unknown): Promise<Fields> | Fields => {
    const result = toolResult(value, { kind: 'Tool', name, output: entry.output, report: failures.report })
    if (!after) return result
    return result instanceof Promise
      ? result.then((late) => after.finished(request, late))
      : after.finished(request, result)
  }
  let value: unknown
  try {
    value = awaitable(entry.handler(input as never, contextOf(entry, request)))
  } catch (error) {
    return fail(error)
  }
  // an invalid result is not an error of the handler, so it is not caught here
  return value instanceof Promise ? value.then(finish, fail) : finish(value)
}

/** The answer to a call whose handler threw; errors of the protocol stay what they are. */
function failed({ entry, name, request }: NamedRequest<ToolEntry>, error: unknown, failures: Failures): Fields {
  if (error instanceof RpcError) throw error
  const result = failedTool(failures.describe(error, `Tool "${name}"`, request.incoming))
  return entry.extended?.after ? entry.extended.after.finished(request, result) : result
}

function contextOf({ extended }: ToolEntry, request: ServerRequest): Context {
  return extended ? new extended.Context(request) : new Context(request)
}

/** A promise for any thenable, such as the query builders of some libraries. */
function awaitable(value: unknown): unknown {
  return isObject(value) && typeof value.then === 'function' ? Promise.resolve(value) : value
}

function badArguments(name: string, problems: readonly SchemaProblem[]): BadArguments {
  return new BadArguments(`Cannot call tool "${name}": ${describeProblems(problems)}`, { problems })
}
