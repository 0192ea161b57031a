import type { Attributes } from '@opentelemetry/api'
import type { Fields } from '../../wire/messages.ts'

/** The span name and attributes of a request. */
export interface Description {
  /** The method and, where there are few, its target. */
  readonly name: string
  readonly attributes: Attributes
}

/**
 * Describes a request by the semantic conventions of OpenTelemetry. @see
 * https://opentelemetry.io/docs/specs/semconv/gen-ai/mcp/ /
 */
export function describe(method: string, { name, uri }: Fields): Description {
  const attributes: Attributes = { 'mcp.method.name': method }
  if (typeof uri === 'string') attributes['mcp.resource.uri'] = short(uri)
  const key = method === 'tools/call' ? tool : method === 'prompts/get' ? prompt : undefined
  if (key === undefined || typeof name !== 'string') return { name: method, attributes }
  const target = short(name)
  attributes[key] = target
  if (key === tool) attributes['gen_ai.operation.name'] = 'execute_tool'
  return { name: `${method} ${target}`, attributes }
}

const tool = 'gen_ai.tool.name'
const prompt = 'gen_ai.prompt.name'

const few = ['mcp.method.name', 'mcp.protocol.version', 'gen_ai.operation.name', 'network.transport'] as const

/** The attributes of the duration metric: only those with few values, so not the names in a refused request. */
export function metricAttributes(attributes: Attributes, isRefused: boolean): Attributes {
  const keys = isRefused ? few : [...few, tool, prompt]
  return Object.fromEntries(keys.map((key) => [key, attributes[key]]).filter(([, value]) => value !== undefined))
}

/** Shortens text of the other side. */
export function short(text: string): string {
  return text.slice(0, 256)
}
