import { type Fields, type Server, server } from '@trunkline/mcp'
import { contract } from '@trunkline/mcp/contract'
import { ApiCaller, type ApiCallerOptions } from './api-caller.ts'
import { offerReads } from './offer-reads.ts'
import { offerSearch } from './offer-search.ts'
import type { ApiOperation } from './operation.ts'
import { operationInput, operationOutput } from './operation-schemas.ts'
import { isObject } from './read-document.ts'

/** Options for offering the operations of an API. */
export interface ApiServerOptions extends ApiCallerOptions {
  readonly operations: readonly ApiOperation[]
  /** One tool for each, or a few to search them and call them by name. */
  readonly as: 'tools' | 'search'
}

/** Makes a server of the description of an API. */
export function apiServer(options: ApiServerOptions): Server {
  const { root, operations, as } = options
  const info: Fields = isObject(root.info) ? root.info : {}
  const title = String(info.title ?? 'API')
  const api: Server = server({
    name:
      title
        .replace(/[^A-Za-z0-9_-]+/g, '-')
        .replace(/^-+|-+$/g, '')
        .toLowerCase() || 'api',
    title,
    version: String(info.version ?? '0'),
    instructions: instructionsOf(options, String(info.description ?? '')),
    extensions: [contract({ requires: { network: [options.base.host] } })],
    onWarning: (message) => process.stderr.write(`${message}\n`),
    onError: (error, what) => process.stderr.write(`${what}: ${error instanceof Error ? error.message : error}\n`),
  })
  const caller = new ApiCaller(options)
  if (as === 'search') offerSearch(api, { operations, root, caller })
  else for (const operation of operations) offerOperation(api, operation, { caller, options })
  offerReads(api, operations, caller)
  return api
}

function instructionsOf({ as, operations }: ApiServerOptions, description: string): string {
  const about = description.length > 2_000 ? `${description.slice(0, 1_999)}…` : description
  if (as === 'tools') return about
  return `${about}\n\nThe API has ${operations.length} operations. Find those you need with search_operations, then call them by name with read_operation or change_operation.`.trim()
}

function offerOperation(
  api: Server,
  operation: ApiOperation,
  { caller, options }: { readonly caller: ApiCaller; readonly options: ApiServerOptions },
): void {
  const { name, summary } = operation
  const definition = {
    ...(summary !== '' && { title: summary.slice(0, 100) }),
    description: describeOperation(operation),
    annotations: annotationsOf(operation),
    input: operationInput(operation, options.root),
    ...(options.promisesAnswers && { output: operationOutput(operation, options.root) }),
  }
  api.tool(name, definition, (given, ctx) => caller.call(operation, given as Fields, ctx))
}

/** Description of an operation for a model. */
export function describeOperation({ method, path, summary, description, isDeprecated }: ApiOperation): string {
  const about = description.startsWith(summary) ? description : [summary, description].filter(Boolean).join('\n\n')
  const text = `${isDeprecated ? 'Deprecated. ' : ''}${about}`
  return `${text.length > 1_000 ? `${text.slice(0, 999)}…` : text}\n\n${method} ${path}`.trim()
}

function annotationsOf({ method }: ApiOperation) {
  const reads = /^(?:GET|HEAD|OPTIONS)$/.test(method)
  if (reads) return { readOnlyHint: true, openWorldHint: true }
  return {
    readOnlyHint: false,
    destructiveHint: /^(?:DELETE|PUT|PATCH)$/.test(method),
    idempotentHint: /^(?:DELETE|PUT)$/.test(method),
    openWorldHint: true,
  }
}
