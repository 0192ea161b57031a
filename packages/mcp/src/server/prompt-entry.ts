import type { Prompt, PromptArgument } from '../model/types.ts'
import type { Adapted, AnySchema } from '../schema/adapter.ts'
import { objectSchema } from '../schema/object-schema.ts'
import { describeProblems } from '../schema/problems.ts'
import { InvalidParams, RpcError } from '../wire/errors.ts'
import type { Fields } from '../wire/messages.ts'
import { adaptOfferSchema, deriveOfferSchema } from './adapt-schema.ts'
import { checkCompleted, checkListed, completedProblem, misuse } from './check-definition.ts'
import type { Context } from './context.ts'
import type { Completers, PromptDefinition, PromptOutput } from './definitions.ts'
import { nonTextArguments } from './non-text-arguments.ts'
import type { Offer, Warn } from './registry.ts'

type AnyHandler = (input: never, ctx: Context) => PromptOutput | Promise<PromptOutput>
type AnyArguments = AnySchema | readonly PromptArgument[] | undefined
type Listed = Omit<Prompt, 'name'>

/** A prompt in the registry of a server. */
export interface PromptEntry extends Offer {
  /** The listed prompt, without its name. */
  listed(): Promise<Listed>
  /** The JSON Schema of its arguments, when it has one. */
  schema(): Promise<Fields | undefined>
  /** Checks the arguments; throws an error for the caller. */
  check(given: Fields, name: string): Promise<Fields> | Fields
  readonly complete: Completers
  /** True if some argument has a completer, or a schema that may list its values. */
  readonly completes: boolean
  readonly handler: AnyHandler
}

/** Makes an entry of a prompt definition. */
export function promptEntry(
  name: string,
  definition: PromptDefinition<AnyArguments>,
  handler: AnyHandler,
): PromptEntry {
  const { visible, scopes, complete = {}, arguments: taken } = definition
  const what = `prompt "${name}"`
  const list = isList(taken) ? taken : undefined
  const adapted = isList(taken) ? undefined : adaptOfferSchema(what, 'arguments', taken)
  const schema = async () => adapted && objectSchema(await adapted.input(), `the arguments of ${what}`)
  checkListed(what, 'Prompt', { name, ...describe(definition, list ?? []) })
  if (!adapted) checkCompleted(what, complete, namesOf(list ?? [], what))
  let listed: Promise<Listed> | undefined
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
    prepare(warn) {
      if (!adapted) return undefined
      const json = deriveOfferSchema('arguments', adapted.input)
      const judge = (schema: Fields | undefined) => prepared(name, schema ?? {}, { adapted, complete, warn })
      return json instanceof Promise ? json.then(judge) : judge(json)
    },
  }
}

const isList = (taken: AnyArguments): taken is readonly PromptArgument[] => Array.isArray(taken)

function namesOf(list: readonly PromptArgument[], what: string): readonly string[] {
  const names = list.map(({ name }) => name)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw misuse(what, `argument "${twice}" is given twice`)
  return names
}

interface Preparing {
  readonly adapted: Adapted
  readonly complete: Completers
  readonly warn: Warn
}

function prepared(name: string, json: Fields, { adapted, complete, warn }: Preparing): Promise<void> | undefined {
  const { properties = {} } = objectSchema(json, `the arguments of prompt "${name}"`)
  const problem = completedProblem(complete, Object.keys(properties as Fields))
  if (problem !== undefined) warn(`Prompt "${name}": ${problem}`)
  const never = nonTextArguments(adapted, json)
  return never?.then((names) => {
    const fix = 'clients send text alone; take a string, or convert one, as z.coerce.number() does'
    for (const argument of names) warn(`Prompt "${name}": argument "${argument}" can never be given: ${fix}`)
  })
}

function describe(
  { title, description, icons, meta }: PromptDefinition<AnyArguments>,
  list: readonly PromptArgument[],
): Listed {
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
