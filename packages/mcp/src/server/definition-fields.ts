/** The members of definitions, checked against the types. */
import type { PromptDefinition, ResourceDefinition, TemplateDefinition, ToolDefinition } from './definitions.ts'

type Fields<Definition> = { readonly [Name in keyof Required<Definition>]: true }

const described = { title: true, description: true, icons: true, meta: true, visible: true, scopes: true } as const

const tool = { ...described, input: true, output: true, annotations: true, limits: true } as const satisfies Fields<
  ToolDefinition<undefined, undefined>
>

const template = {
  ...described,
  name: true,
  mimeType: true,
  annotations: true,
  cache: true,
  complete: true,
  list: true,
} as const satisfies Fields<TemplateDefinition>

const resource = {
  ...described,
  name: true,
  mimeType: true,
  size: true,
  annotations: true,
  cache: true,
} as const satisfies Fields<ResourceDefinition>

const prompt = { ...described, arguments: true, complete: true } as const satisfies Fields<PromptDefinition<undefined>>

export const toolFields: readonly string[] = Object.keys(tool)
export const resourceFields: readonly string[] = Object.keys(resource)
export const templateFields: readonly string[] = Object.keys(template)
export const promptFields: readonly string[] = Object.keys(prompt)
