import type { GetPromptResult, Prompt } from '../model/types.ts'
import { InternalError, RpcError } from '../wire/errors.ts'
import { type Fields, isObject } from '../wire/messages.ts'
import { describeShapeProblem } from '../wire/shape.ts'
import { jsonOf, type Returning, refuseResult } from './bad-result.ts'
import { text } from './content.ts'
import { Context } from './context.ts'
import { type FeatureHost, listedByName } from './feature.ts'
import { type NamedRequest, serveByName } from './find-by-name.ts'
import type { Failures } from './handler-errors.ts'
import type { PromptEntry } from './prompt-entry.ts'
import type { Registry } from './registry.ts'
import { wireShapeOf } from './wire-shapes.ts'

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

/** The result of a prompt from what its handler returned. */
function promptResult(value: unknown, prompt: Returning): GetPromptResult & Fields {
  if (typeof value === 'string') return { messages: [{ role: 'user', content: text(value) }] }
  if (typeof value !== 'object' || value === null)
    return refuseResult(prompt, `${value}: return text, messages, or { messages }`)
  const spelled = 'messages' in value ? value : { messages: Array.isArray(value) ? value : [value] }
  const result = jsonOf(spelled, prompt) as GetPromptResult & Fields
  const problem = wireShapeOf('GetPromptResult').check(result)
  return problem ? refuseResult(prompt, `what clients cannot read: ${describeShapeProblem(problem)}`) : result
}
