import type { Fields } from '@trunkline/mcp'
import type { ApiBody, ApiOperation, ApiParameter, ParameterPlace } from './operation.ts'
import { isObject } from './read-document.ts'
import { resolved } from './references.ts'

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'] as const

/** The operations of a description, each with a name of its own. */
export function readOperations(root: Fields): readonly ApiOperation[] {
  const names = new Set<string>()
  return Object.entries(root.paths as Fields).flatMap(([path, written]) => {
    const item = resolved(root, written)
    return methods.flatMap((method): readonly ApiOperation[] => {
      if (!isObject(item[method])) return []
      return [readOperation({ root, path, method, item, operation: item[method] as Fields, names })]
    })
  })
}

interface Written {
  readonly root: Fields
  readonly path: string
  readonly method: string
  readonly item: Fields
  readonly operation: Fields
  readonly names: Set<string>
}

function readOperation({ root, path, method, item, operation, names }: Written): ApiOperation {
  const security = (operation.security ?? root.security ?? []) as readonly Fields[]
  const body = readBody(root, operation)
  const answer = readAnswer(root, operation)
  return {
    name: uniqueName(String(operation.operationId ?? `${method}_${path}`), names),
    method: method.toUpperCase(),
    path,
    summary:
      String(operation.summary ?? operation.description ?? `${method.toUpperCase()} ${path}`).split('\n')[0] ?? '',
    description: String(operation.description ?? ''),
    tags: Array.isArray(operation.tags) ? operation.tags.map(String) : [],
    isDeprecated: operation.deprecated === true,
    parameters: readParameters(root, [...listOf(item.parameters), ...listOf(operation.parameters)]),
    ...(body && { body }),
    ...(answer !== undefined && { answer }),
    security: security.map((way) => Object.keys(way)),
  }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function uniqueName(written: string, names: Set<string>): string {
  const base =
    written
      .replace(/[^A-Za-z0-9_-]+/g, '_')
      .replace(/^_+|_+$/g, '')
      .slice(0, 60) || 'operation'
  let name = base
  for (let at = 2; names.has(name); at++) name = `${base}_${at}`
  names.add(name)
  return name
}

function readParameters(root: Fields, written: readonly unknown[]): readonly ApiParameter[] {
  const found = new Map<string, ApiParameter>()
  for (const one of written) {
    const parameter = resolved(root, one)
    const name = String(parameter.name)
    const place = parameter.in as ParameterPlace
    // headers that credentials and bodies set
    if (place === 'header' && /^(?:accept|content-type|authorization)$/i.test(name)) continue
    const content = isObject(parameter.content) ? Object.values(parameter.content)[0] : undefined
    found.set(`${place} ${name}`, {
      name,
      argument: name.replace(/[^\w.-]+/g, '_').slice(0, 64),
      in: place,
      required: place === 'path' || parameter.required === true,
      ...(typeof parameter.description === 'string' && { description: parameter.description }),
      schema: parameter.schema ?? (isObject(content) ? content.schema : undefined) ?? {},
      ...(typeof parameter.style === 'string' && { style: parameter.style }),
      ...(typeof parameter.explode === 'boolean' && { explode: parameter.explode }),
    })
  }
  return apart([...found.values()])
}

/** Arguments that would be called alike get the place of their parameter into their names. */
function apart(parameters: readonly ApiParameter[]): readonly ApiParameter[] {
  return parameters.map((parameter) => {
    const { argument } = parameter
    const isTaken =
      argument === 'body' || parameters.some((other) => other !== parameter && other.argument === argument)
    return isTaken ? { ...parameter, argument: `${argument}_${parameter.in}` } : parameter
  })
}

const understood = [
  /^application\/(?:[\w.+-]+\+)?json\b/,
  /^application\/x-www-form-urlencoded\b/,
  /^multipart\/form-data\b/,
  /^text\//,
  /./,
]

function readBody(root: Fields, operation: Fields): ApiBody | undefined {
  const body = resolved(root, operation.requestBody)
  if (!isObject(body.content)) return undefined
  const types = Object.keys(body.content)
  const mediaType = understood.flatMap((kind) => types.find((type) => kind.test(type)) ?? [])[0]
  if (mediaType === undefined) return undefined
  const { schema } = (body.content as { [type: string]: Fields })[mediaType] ?? {}
  const files = filesIn(root, schema)
  return { mediaType, schema: schema ?? {}, required: body.required === true, ...(files.length > 0 && { files }) }
}

/** The members of a form that are files, or lists of files. */
function filesIn(root: Fields, schema: unknown): readonly string[] {
  const { properties } = resolved(root, schema)
  if (!isObject(properties)) return []
  const isFile = (written: unknown): boolean => {
    const { format, contentMediaType, items } = resolved(root, written)
    return format === 'binary' || contentMediaType === 'application/octet-stream' || (isObject(items) && isFile(items))
  }
  return Object.keys(properties).filter((name) => isFile(properties[name]))
}

function readAnswer(root: Fields, operation: Fields): unknown {
  const responses = isObject(operation.responses) ? operation.responses : {}
  const well = Object.keys(responses).filter((status) => /^2/.test(status))
  // several kinds of success cannot be promised as one
  if (well.length !== 1) return undefined
  const { content } = resolved(root, responses[well[0] ?? ''])
  const json = Object.entries(isObject(content) ? content : {}).find(([type]) => understood[0]?.test(type))
  return isObject(json?.[1]) ? json[1].schema : undefined
}
