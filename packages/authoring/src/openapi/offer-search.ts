import { type Fields, reply, type Server, text } from '@trunkline/mcp'
import { compile, describeProblems, nearName } from '@trunkline/mcp/json-schema'
import type { ApiCaller } from './api-caller.ts'
import type { ApiOperation } from './operation.ts'
import { operationInput } from './operation-schemas.ts'
import { searchOperations } from './search-operations.ts'

/** Dependencies of the tools that search and call many operations. */
export interface SearchedApi {
  readonly operations: readonly ApiOperation[]
  readonly root: Fields
  readonly caller: ApiCaller
}

/** Offers many operations through three tools: find some, call what reads, call what changes. */
export function offerSearch(api: Server, { operations, root, caller }: SearchedApi): void {
  const tags = [...new Set(operations.flatMap((operation) => operation.tags))].sort()
  const input = {
    type: 'object',
    properties: {
      query: { type: 'string', description: 'Words of what you want to do' },
      tag: { type: 'string', ...(tags.length > 0 && tags.length <= 200 && { enum: tags }) },
      limit: { type: 'integer', minimum: 1, maximum: 50, default: 10 },
    },
    additionalProperties: false,
  }
  const description = `Finds operations of the API, best first, with what each takes. ${operations.length} operations; tags: ${tags.slice(0, 50).join(', ') || 'none'}`
  api.tool('search_operations', { description, input, annotations: { readOnlyHint: true } }, (given) => {
    const { query = '', tag, limit = 10 } = given as { query?: string; tag?: string; limit?: number }
    const found = searchOperations(operations, { query, tag })
    const shown = found.slice(0, limit).map((operation) => ({
      operation: operation.name,
      method: operation.method,
      path: operation.path,
      summary: operation.summary,
      tags: operation.tags,
      input: operationInput(operation, root),
    }))
    return { found: found.length, operations: shown }
  })
  const reads = operations.filter(({ method }) => method === 'GET' || method === 'HEAD')
  offerCall(api, 'read_operation', { operations: reads, all: operations, root, caller })
  const changes = operations.filter((operation) => !reads.includes(operation))
  if (changes.length > 0) offerCall(api, 'change_operation', { operations: changes, all: operations, root, caller })
}

function offerCall(
  api: Server,
  name: string,
  { operations, all, root, caller }: SearchedApi & { readonly all: readonly ApiOperation[] },
): void {
  const isRead = name === 'read_operation'
  const definition = {
    description: `Calls an operation that ${isRead ? 'reads' : 'changes'} something, by the name that search_operations gives it`,
    input: {
      type: 'object',
      properties: { operation: { type: 'string' }, arguments: { type: 'object', default: {} } },
      required: ['operation'],
      additionalProperties: false,
    },
    annotations: isRead
      ? { readOnlyHint: true, openWorldHint: true }
      : { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
  }
  const byName = new Map(operations.map((operation) => [operation.name, operation]))
  api.tool(name, definition, (given, ctx) => {
    const { operation: wanted, arguments: own = {} } = given as { operation: string; arguments?: Fields }
    const operation = byName.get(wanted)
    if (operation === undefined) return reply(text(notFound(wanted, name, { byName, all })), { isError: true })
    const problems = compile(operationInput(operation, root))(own)
    if (problems.length > 0)
      return reply(text(`Cannot call ${wanted}: ${describeProblems(problems)}`), { isError: true })
    return caller.call(operation, own, ctx)
  })
}

function notFound(
  wanted: string,
  tool: string,
  { byName, all }: { readonly byName: ReadonlyMap<string, ApiOperation>; readonly all: readonly ApiOperation[] },
): string {
  if (all.some(({ name }) => name === wanted))
    return `Cannot call ${wanted} with ${tool}: use ${tool === 'read_operation' ? 'change_operation' : 'read_operation'}`
  const near = nearName(wanted, [...byName.keys()])
  return `Cannot call "${wanted}": there is no such operation${near === undefined ? '' : `; did you mean "${near}"?`}`
}
