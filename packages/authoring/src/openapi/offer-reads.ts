import type { Fields, ReadContext, ReadOutput, Server } from '@trunkline/mcp'
import { readContent } from './api-answer.ts'
import type { ApiCaller } from './api-caller.ts'
import type { ApiOperation } from './operation.ts'

/** Offers what can be read with an address alone as resources; one with parameters in its path is a template. */
export function offerReads(api: Server, operations: readonly ApiOperation[], caller: ApiCaller): void {
  const addresses = new Set<string>()
  for (const operation of operations) {
    const uri = `openapi:/${operation.path}`
    if (!isRead(operation) || addresses.has(uri) || addresses.size >= maxReads) continue
    addresses.add(uri)
    const definition = { name: operation.name, description: operation.summary }
    const read = (given: Fields, ctx: ReadContext): Promise<ReadOutput> =>
      readOperation({ operation, given, caller }, ctx)
    if (!uri.includes('{')) api.resource(uri, definition, (_, ctx) => read({}, ctx))
    else api.template(templateOf(operation), definition, (variables, ctx) => read(variables, ctx))
  }
}

/** Limit of listed resources; a longer list helps no reader. */
const maxReads = 500

function isRead({ method, parameters }: ApiOperation): boolean {
  return method === 'GET' && parameters.every((one) => one.in === 'path' || !one.required)
}

/** The path, with variables that a template can have. */
function templateOf({ path, parameters }: ApiOperation): string {
  const named = path.replace(/\{([^{}]+)\}/g, (_, name: string) => {
    const argument = parameters.find((one) => one.in === 'path' && one.name === name)?.argument ?? name
    return `{${argument.replace(/[^\w.]/g, '_')}}`
  })
  return `openapi:/${named}`
}

async function readOperation(
  {
    operation,
    given,
    caller,
  }: { readonly operation: ApiOperation; readonly given: Fields; readonly caller: ApiCaller },
  ctx: ReadContext,
): Promise<ReadOutput> {
  const own = operation.parameters.filter((one) => one.in === 'path')
  const values = Object.fromEntries(own.map(({ argument }) => [argument, given[argument.replace(/[^\w.]/g, '_')]]))
  const response = await caller.send(operation, values, ctx)
  if (response.status >= 400)
    throw new Error(`Cannot read "${ctx.uri}": the API answered ${response.status} ${response.statusText}`)
  if (response.isCut) throw new Error(`Cannot read "${ctx.uri}": it has more than ${response.bytes.length} bytes`)
  const mimeType = response.headers.get('content-type')?.split(';')[0] ?? 'application/octet-stream'
  const [block] = readContent(response).content
  if (block?.type === 'text') return { uri: ctx.uri, mimeType, text: block.text }
  return { uri: ctx.uri, mimeType, blob: Buffer.from(response.bytes).toString('base64') }
}
