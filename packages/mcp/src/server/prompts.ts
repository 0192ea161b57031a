import type { GetPromptResult, Prompt, PromptArgument } from '../model/types.ts'
import { type Adapted, type AnySchema, adapt } from '../schema/adapter.ts'
import { objectSchema } from '../schema/object-schema.ts'
import { describeProblems } from '../schema/problems.ts'
import { InternalError, InvalidParams, RpcError } from '../wire/errors.ts'
import { type Fields, isObject } from '../wire/messages.ts'
import { describeShapeProblem } from '../wire/shape.ts'
import { jsonOf, type Returning, refuseResult } from './bad-result.ts'
import { text } from './content.ts'
import { Context } from './context.ts'
import type { Completers, PromptDefinition, PromptOutput } from './definitions.ts'
import type { Failures } from './failures.ts'
import { type FeatureHost, listedByName } from './feature.ts'
import { type NamedRequest, serveByName } from './find-by-name.ts'
import type { Offer, Registry } from './registry.ts'
import { wireShapeOf } from './shapes.ts'

type AnyHandler = (input: never, ctx: Context) => PromptOutput | Promise<PromptOutput>
type AnyArguments = AnySchema | readonly PromptArgument[] | undefined

/** A prompt as a server keeps it. */
export interface PromptEntry extends Offer {
  /** How it is listed, but for its name. */
  listed(): Promise<Omit<Prompt, 'name'>>
  /** The JSON Schema of its arguments, when it has one. */
  schema(): Promise<Fields | undefined>
  /** The arguments a handler may rely on, or an error. */
  check(given: Fields, name: string): Promise<Fields> | Fields
  readonly complete: Completers
  /** Whether some argument has a completer, or a schema that may list its values. */
  readonly completes: boolean
  readonly handler: AnyHandler
}

/** Takes in what an author says of a prompt. */
export function promptEntry(
  name: string,
  definition: PromptDefinition<AnyArguments>,
  handler: AnyHandler,
): PromptEntry {
  const { visible, scopes, complete = {}, arguments: taken } = definition
  const list = isList(taken) ? taken : undefined
  const adapted = taken !== undefined && !isList(taken) ? adapt(taken, { trusted: true }) : undefined
  const schema = async () => adapted && objectSchema(await adapted.input(), `the arguments of prompt "${name}"`)
  let listed: Promise<Omit<Prompt, 'name'>> | undefined
  return {
    visible,
    scopes,
    complete,
    completes: adapted !== undefined || Object.keys(complete).length > 0,
    handler,
    schema,
    check: (given, calledAs) =>
      adapted ? checkSchema(adapted, given, calledAs) : checkList(list ?? [], given, calledAs),
    listed() {
      listed ??= schema().then((json) => describe(definition, list ?? argumentsOf(json)))
      return listed
    },
  }
}

const isList = (taken: AnyArguments): taken is readonly PromptArgument[] => Array.isArray(taken)

function describe(
  { title, description, icons, meta }: PromptDefinition<AnyArguments>,
  list: readonly PromptArgument[],
): Omit<Prompt, 'name'> {
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(list.length > 0 && { arguments: list }),
    ...(icons && { icons }),
    ...(meta && { _meta: meta }),
  }
}

function argumentsOf(json: Fields | undefined): readonly PromptArgument[] {
  const required = new Set(Array.isArray(json?.required) ? json.required : [])
  return Object.entries((json?.properties ?? {}) as { [name: string]: Fields }).map(
    ([name, { title, description }]) => ({
      name,
      ...(typeof title === 'string' && { title }),
      ...(typeof description === 'string' && { description }),
      required: required.has(name),
    }),
  )
}

async function checkSchema(adapted: Adapted, given: Fields, name: string): Promise<Fields> {
  const judged = await adapted.check(given)
  if (judged.ok) return judged.value as Fields
  throw new RpcError(InvalidParams, `Cannot get prompt "${name}": ${describeProblems(judged.problems)}`, {
    problems: judged.problems,
  })
}

function checkList(list: readonly PromptArgument[], given: Fields, name: string): Fields {
  const missing = list.find((argument) => argument.required && given[argument.name] === undefined)
  if (!missing) return given
  throw new RpcError(InvalidParams, `Cannot get prompt "${name}": argument "${missing.name}" is missing`, {
    field: `arguments.${missing.name}`,
  })
}

/** The prompts of a server. */
export function promptsFeature(host: FeatureHost) {
  const list = host.list<Prompt>({
    member: 'prompts',
    items: (caller) => listedByName(registry.list(caller)),
    keyOf: ({ name }) => name,
    restricted: () => registry.restricted,
  })
  const registry: Registry<PromptEntry> = host.registry('prompt', 'prompts', [list])
  return {
    registry,
    registries: [{ registry, prefixed: true }],
    declares: { prompts: { listChanged: true } },
    isOffered: () => registry.size > 0,
    handlers: { 'prompts/list': list.serve, 'prompts/get': getPrompt(registry, host.failures) },
  }
}

/** Serves `prompts/get`. */
function getPrompt(registry: Registry<PromptEntry>, failures: Failures) {
  return serveByName(registry, {
    notFound: (name) => `Cannot get prompt "${name}": no such prompt`,
    run: (use) => run(use, failures),
  })
}

async function run({ entry, name, given, request }: NamedRequest<PromptEntry>, failures: Failures): Promise<Fields> {
  const input = await entry.check(given, name)
  let value: unknown
  try {
    value = await entry.handler(input as never, new Context(request))
  } catch (error) {
    if (error instanceof RpcError) throw error
    throw new RpcError(InternalError, failures.describe(error, `Prompt "${name}"`, request.incoming))
  }
  const result = promptResult(value, { kind: 'Prompt', name, report: failures.report })
  return { ...result, ...(await descriptionOf(entry, value)) }
}

async function descriptionOf(entry: PromptEntry, value: unknown): Promise<Fields> {
  const { description } = await entry.listed()
  return description === undefined || (isObject(value) && 'messages' in value) ? {} : { description }
}

/** The result of a prompt, from whatever its handler returned. */
function promptResult(value: unknown, prompt: Returning): GetPromptResult & Fields {
  if (typeof value === 'string') return { messages: [{ role: 'user', content: text(value) }] }
  if (typeof value !== 'object' || value === null)
    return refuseResult(prompt, `${value}: return text, messages, or { messages }`)
  const spelled = 'messages' in value ? value : { messages: Array.isArray(value) ? value : [value] }
  const result = jsonOf(spelled, prompt) as GetPromptResult & Fields
  const problem = wireShapeOf('GetPromptResult').check(result)
  return problem ? refuseResult(prompt, `what clients cannot read: ${describeShapeProblem(problem)}`) : result
}
