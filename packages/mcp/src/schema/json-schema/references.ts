import { type Fields, isObject } from '../../wire/messages.ts'
import type { SchemaLimits } from './compile-options.ts'
import type { SchemaDraft } from './draft.ts'
import { draftOf } from './draft-keywords.ts'
import { quote } from './message-words.ts'
import { SchemaError } from './schema-error.ts'

/** A schema with an address of its own: the root, or a subschema with `$id`. */
export interface SchemaResource {
  readonly uri: string
  readonly root: unknown
  readonly draft: SchemaDraft
  /** Subschemas by the plain name of a fragment. */
  readonly anchors: Map<string, Fields>
  /** Those of them that a dynamic reference may mean; `''` is the root of a resource with `$recursiveAnchor`. */
  readonly dynamicAnchors: Map<string, Fields>
}

/** The schema that a reference leads to. */
export interface ReferenceTarget {
  readonly schema: unknown
  readonly resource: SchemaResource
}

/** Every subschema of one schema that a reference can reach; nothing outside the schema is ever looked for. */
export class References {
  readonly root: SchemaResource
  readonly #limits: SchemaLimits
  readonly #byUri = new Map<string, SchemaResource>()
  readonly #byRoot = new Map<Fields, SchemaResource>()
  readonly #walked = new Set<unknown>()
  #subschemas = 0

  constructor(schema: unknown, limits: SchemaLimits) {
    this.#limits = limits
    const draft = draftOf(schema)
    const id = isObject(schema) ? draft.idOf(schema) : undefined
    this.root = this.#add(resolveUri(id ?? '', 'schema:///'), schema, draft)
    this.#walk(schema, this.root, 0)
  }

  /** The resource a subschema found inside `current` belongs to. */
  resourceOf(schema: Fields, current: SchemaResource): SchemaResource {
    return this.#byRoot.get(schema) ?? current
  }

  /** All resources that declare a dynamic anchor. */
  *withDynamicAnchor(name: string): Iterable<ReferenceTarget> {
    for (const resource of this.#byUri.values()) {
      const schema = resource.dynamicAnchors.get(name)
      if (schema) yield { schema, resource }
    }
  }

  /** Follows a reference that stands in `from`. */
  resolve(reference: string, from: SchemaResource): ReferenceTarget {
    const [uri = '', fragment = ''] = splitUri(
      reference.startsWith('#') ? from.uri + reference : resolveUri(reference, from.uri),
    )
    const resource = this.#byUri.get(uri)
    if (!resource)
      throw new SchemaError(
        `Cannot resolve $ref ${quote(reference)}: it points outside the schema, and nothing is fetched`,
      )
    if (fragment === '') return { schema: resource.root, resource }
    const name = decode(fragment, reference)
    if (name.startsWith('/')) return this.#resolvePointer(name, resource)
    const schema = resource.anchors.get(name)
    if (!schema)
      throw new SchemaError(`Cannot resolve $ref ${quote(reference)}: no subschema has the anchor ${quote(name)}`)
    return { schema, resource: this.resourceOf(schema, resource) }
  }

  #resolvePointer(pointer: string, start: SchemaResource): ReferenceTarget {
    let schema = start.root
    let resource = start
    for (const token of pointer.slice(1).split('/')) {
      const key = token.replaceAll('~1', '/').replaceAll('~0', '~')
      if (typeof schema !== 'object' || schema === null || !Object.hasOwn(schema, key))
        throw new SchemaError(`Cannot resolve $ref ${quote(`#${pointer}`)}: the schema has no ${quote(key)} there`)
      schema = (schema as Fields)[key]
      if (isObject(schema)) resource = this.resourceOf(schema, resource)
    }
    if (!this.#walked.has(schema)) this.#walk(schema, resource, 0)
    return { schema, resource }
  }

  #walk(schema: unknown, parent: SchemaResource, depth: number): void {
    const { maxDepth, maxSubschemas } = this.#limits
    if (depth > maxDepth) throw new SchemaError(`Cannot use schema: subschemas are nested more than ${maxDepth} deep`)
    if (++this.#subschemas > maxSubschemas)
      throw new SchemaError(`Cannot use schema: it has more than ${maxSubschemas} subschemas`)
    if (!isObject(schema)) return
    this.#walked.add(schema)
    const resource = this.#byRoot.get(schema) ?? this.#enter(schema, parent)
    nameAnchors(schema, resource)
    for (const part of subschemas(schema, resource.draft)) this.#walk(part, resource, depth + 1)
  }

  #enter(schema: Fields, parent: SchemaResource): SchemaResource {
    const id = parent.draft.idOf(schema)
    if (id === undefined) return parent
    const draft = schema.$schema === undefined ? parent.draft : draftOf(schema)
    return this.#add(resolveUri(id, parent.uri), schema, draft)
  }

  #add(id: string, root: unknown, draft: SchemaDraft): SchemaResource {
    const [uri = ''] = splitUri(id)
    const known = this.#byUri.get(uri)
    if (known && known.root !== root)
      throw new SchemaError(`Cannot use schema: two subschemas have the $id ${quote(uri)}`)
    const resource = known ?? { uri, root, draft, anchors: new Map(), dynamicAnchors: new Map() }
    this.#byUri.set(uri, resource)
    if (isObject(root)) this.#byRoot.set(root, resource)
    return resource
  }
}

function nameAnchors(schema: Fields, { draft, anchors, dynamicAnchors, root }: SchemaResource): void {
  const name = draft.anchorOf(schema)
  if (name !== undefined) anchors.set(name, schema)
  const dynamic = draft.dynamicAnchorOf(schema)
  if (dynamic === undefined || (dynamic === '' && schema !== root)) return
  anchors.set(dynamic, schema)
  dynamicAnchors.set(dynamic, schema)
}

function* subschemas(schema: Fields, { holders, namedHolders }: SchemaDraft): Iterable<unknown> {
  for (const keyword in schema) {
    const value = schema[keyword]
    if (namedHolders.has(keyword) && isObject(value)) yield* Object.values(value)
    else if (holders.has(keyword) && Array.isArray(value)) yield* value
    else if (holders.has(keyword)) yield value
  }
}

function resolveUri(reference: string, base: string): string {
  try {
    return new URL(reference, base).href
  } catch (cause) {
    throw new SchemaError(`Cannot resolve ${quote(reference)}: it is not a URI reference relative to ${quote(base)}`, {
      cause,
    })
  }
}

function splitUri(uri: string): readonly string[] {
  const at = uri.indexOf('#')
  return at < 0 ? [uri] : [uri.slice(0, at), uri.slice(at + 1)]
}

function decode(fragment: string, reference: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch (cause) {
    throw new SchemaError(`Cannot resolve $ref ${quote(reference)}: its fragment is not percent-encoded`, { cause })
  }
}
