import type { InputRequired, ServerRequest } from '../dialects/dialect.ts'
import { InvalidParams, RpcError } from '../wire/errors.ts'
import { type Fields, isObject } from '../wire/messages.ts'
import { refuseResult } from './bad-result.ts'
import type { Completer } from './definitions.ts'
import type { Feature } from './feature.ts'
import type { Failures } from './handler-errors.ts'
import type { PromptEntry } from './prompt-entry.ts'
import type { Registry } from './registry.ts'
import type { TemplateEntry } from './resource-entry.ts'
import { checkScopes } from './scopes.ts'

const mostValues = 100

interface Completing {
  readonly ref: { readonly type: string; readonly name?: string; readonly uri?: string }
  readonly argument: { readonly name: string; readonly value: string }
  readonly context?: { readonly arguments?: { readonly [name: string]: string } }
}

export interface Completable {
  readonly prompts: Registry<PromptEntry>
  readonly templates: Registry<TemplateEntry>
}

/** Completion of the arguments of prompts and of the variables of templates. */
export function completionsFeature(completable: Completable, failures: Failures): Feature {
  return {
    declares: { completions: {} },
    isOffered: () => completes(completable),
    handlers: { 'completion/complete': complete(completable, failures) },
    registries: [],
  }
}

/** Serves `completion/complete` for the arguments of prompts and the variables of templates. */
function complete({ prompts, templates }: Completable, { report }: Failures) {
  return async (request: ServerRequest): Promise<Fields | InputRequired> => {
    const { ref, argument, context } = request.params as unknown as Completing
    const isPrompt = ref.type === 'ref/prompt'
    const found = isPrompt
      ? prompts.find(ref.name ?? '', request.caller)
      : templates.find(ref.uri ?? '', request.caller)
    if (!found) {
      throw new RpcError(
        InvalidParams,
        `Cannot complete "${argument.name}": no such ${isPrompt ? 'prompt' : 'template'}`,
        { field: 'ref' },
      )
    }
    if (found.home)
      return found.home({
        ...request,
        params: { ...request.params, ref: isPrompt ? { ...ref, name: found.name } : ref },
      })
    checkScopes(found.item, request)
    const completer = Object.hasOwn(found.item.complete, argument.name)
      ? found.item.complete[argument.name]
      : await choices(found.item, argument.name)
    const suggested: unknown = completer ? await completer(argument.value, context?.arguments ?? {}) : []
    const values = isTexts(suggested)
      ? suggested
      : refuseResult({ kind: 'Completer', name: argument.name, report }, notTexts)
    return {
      completion: { values: values.slice(0, mostValues), total: values.length, hasMore: values.length > mostValues },
    }
  }
}

const notTexts = 'no list of strings: return those that start with what was typed'

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')

/** The values that the schema of an argument lists, which need no completer. */
async function choices(item: PromptEntry | TemplateEntry, argument: string): Promise<Completer | undefined> {
  const json = 'schema' in item ? await item.schema() : undefined
  const properties = isObject(json?.properties) ? json.properties : {}
  const property = Object.hasOwn(properties, argument) ? properties[argument] : undefined
  if (!isObject(property) || !Array.isArray(property.enum)) return undefined
  const values = property.enum.filter((value) => typeof value === 'string')
  return (start) => values.filter((value) => value.toLowerCase().startsWith(start.toLowerCase()))
}

/** True if there is anything to complete. */
function completes({ prompts, templates }: Completable): boolean {
  for (const { item } of templates.found()) if (Object.keys(item.complete).length > 0) return true
  for (const { item } of prompts.found()) if (item.completes) return true
  return false
}
