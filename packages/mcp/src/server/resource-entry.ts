import type { CacheHint, Resource, ResourceTemplate } from '../model/types.ts'
import { parseTemplate, type UriTemplate } from '../model/uri-template/uri-template.ts'
import { checkCompleted, checkListed } from './check-definition.ts'
import type { ReadContext } from './context.ts'
import type { Completers, ReadOutput, ResourceDefinition, TemplateDefinition } from './definitions.ts'
import type { Offer, Registry } from './registry.ts'

type AnyHandler = (input: never, ctx: ReadContext) => ReadOutput | Promise<ReadOutput>

/** Members that single resources and templates have in common. */
export interface ReadableEntry extends Offer {
  readonly mimeType: string | undefined
  readonly cache: CacheHint | undefined
  readonly handler: AnyHandler
}

/** A resource in the registry of a server. */
export interface ResourceEntry extends ReadableEntry {
  readonly resource: Resource
}

/** A resource template in the registry of a server. */
export interface TemplateEntry extends ReadableEntry {
  readonly listed: ResourceTemplate
  readonly template: UriTemplate
  readonly complete: Completers
  readonly list: TemplateDefinition['list']
}

/** Makes an entry of a resource definition. */
export function resourceEntry(uri: string, definition: ResourceDefinition, handler: AnyHandler): ResourceEntry {
  const { visible, scopes, cache, mimeType, size } = definition
  const resource = { uri, ...described(uri, definition), ...(size !== undefined && { size }) }
  checkListed(`resource "${uri}"`, 'Resource', resource)
  return { visible, scopes, cache, mimeType, handler, resource }
}

/** Makes an entry of a template definition. */
export function templateEntry(uriTemplate: string, definition: TemplateDefinition, handler: AnyHandler): TemplateEntry {
  const { visible, scopes, cache, mimeType, complete = {}, list } = definition
  const listed = { uriTemplate, ...described(uriTemplate, definition) }
  const template = parseTemplate(uriTemplate)
  checkListed(`template "${uriTemplate}"`, 'ResourceTemplate', listed)
  checkCompleted(`template "${uriTemplate}"`, complete, template.variables)
  return { visible, scopes, cache, mimeType, handler, listed, template, complete, list }
}

function described(address: string, definition: ResourceDefinition): Omit<Resource, 'uri'> {
  const { name = address, title, description, mimeType, annotations, icons, meta } = definition
  return {
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(mimeType !== undefined && { mimeType }),
    ...(annotations && { annotations }),
    ...(icons && { icons }),
    ...(meta && { _meta: meta }),
  }
}

/** The registries of resources and templates. */
export interface ResourceRegistries {
  readonly resources: Registry<ResourceEntry>
  readonly templates: Registry<TemplateEntry>
}
