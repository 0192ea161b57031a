import type { Asking, Caller, InputRequired, ServerRequest } from '../dialects/dialect.ts'
import type { Resource, ResourceTemplate } from '../model/types.ts'
import { InternalError, ResourceNotFound, RpcError } from '../wire/errors.ts'
import type { Fields } from '../wire/messages.ts'
import { ReadContext } from './context.ts'
import type { FeatureHost } from './feature.ts'
import type { Failures } from './handler-errors.ts'
import { listResources } from './list-resources.ts'
import type { Found } from './registry.ts'
import type { ReadableEntry, ResourceRegistries } from './resource-entry.ts'
import { resourceResult } from './resource-result.ts'
import { checkScopes } from './scopes.ts'

/** The resources of a server, single ones and templates. */
export function resourcesFeature(host: FeatureHost) {
  const list = host.list<Resource>({
    member: 'resources',
    items: (caller) => listResources(both, caller, host.failures),
    keyOf: ({ uri }) => uri,
    // the resources that a template lists may change without an announcement
    restricted: () => both.resources.restricted || both.templates.size > 0,
  })
  const templateList = host.list<ResourceTemplate>({
    member: 'resourceTemplates',
    items: (caller) => [...both.templates.list(caller)].map(([, { listed }]) => listed),
    keyOf: ({ uriTemplate }) => uriTemplate,
    restricted: () => both.templates.restricted,
  })
  const both: ResourceRegistries = {
    resources: host.registry('resource', 'resources', [list]),
    templates: host.registry('template', 'resources', [list, templateList]),
  }
  return {
    ...both,
    registries: [both.resources, both.templates].map((registry) => ({ registry, prefixed: false })),
    declares: { resources: { listChanged: true, subscribe: true } },
    isOffered: () => both.resources.size + both.templates.size > 0,
    handlers: {
      'resources/list': list.serve,
      'resources/templates/list': templateList.serve,
      'resources/read': readResource(both, host.failures),
    },
  }
}

/** Serves `resources/read`: a single resource first, else the first template that matches. */
function readResource(shelves: ResourceRegistries, failures: Failures) {
  return (request: ServerRequest): Promise<Fields | InputRequired> | Fields | InputRequired => {
    const { uri } = request.params as { uri: string }
    const found = locate(shelves, uri, request.caller)
    if (!found) throw new RpcError(ResourceNotFound, `Cannot read "${uri}": no such resource`, { uri })
    if (found.home) return found.home(request)
    checkScopes(found.item, request)
    return request.input.guard(read(found.item, found.input, { uri, request, failures }))
  }
}

/** Refuses to watch a resource that the caller may not read. */
export function checkWatch(shelves: ResourceRegistries, uris: readonly string[], asking: Asking): void {
  const { caller } = asking
  if (caller.scopes === undefined) return
  const needed = uris.flatMap((uri) => locate(shelves, uri, caller)?.item.scopes ?? [])
  checkScopes({ scopes: [...new Set(needed)] }, asking)
}

/** True if a resource is visible to a caller. */
export function isShown(shelves: ResourceRegistries, uri: string, caller: Caller): boolean {
  const { resources, templates } = shelves
  if (!resources.restricted && !templates.restricted) return true
  if (locate(shelves, uri, caller)) return true
  return !resources.has(uri) && ![...templates.found()].some(({ item }) => item.template.match(uri))
}

function locate(
  { resources, templates }: ResourceRegistries,
  uri: string,
  caller: Caller,
): (Found<ReadableEntry> & { input: unknown }) | undefined {
  const single = resources.find(uri, caller)
  if (single) return { ...single, input: { uri } }
  for (const found of templates.found()) {
    const input = found.item.visible?.(caller) === false ? undefined : found.item.template.match(uri)
    if (input) return { ...found, input }
  }
  return undefined
}

interface Reading {
  readonly uri: string
  readonly request: ServerRequest
  readonly failures: Failures
}

async function read(
  { handler, mimeType, cache }: ReadableEntry,
  input: unknown,
  { uri, request, failures }: Reading,
): Promise<Fields> {
  let value: unknown
  try {
    value = await handler(input as never, new ReadContext(request))
  } catch (error) {
    if (error instanceof RpcError) throw error
    throw new RpcError(InternalError, failures.describe(error, `Resource "${uri}"`, request.incoming))
  }
  const { ttlMs, scope } = cache ?? { ttlMs: 0, scope: 'private' }
  const address = mimeType === undefined ? { uri } : { uri, mimeType }
  const result = resourceResult(value, address, { kind: 'Resource', name: uri, report: failures.report })
  return { ...result, ttlMs, cacheScope: scope }
}
