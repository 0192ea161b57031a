import type { RouteAnswer } from '@trunkline/host/page-api'
import { isSchema, propertiesOf, resolve, type Schema } from '../../form/schema.ts'
import { prettyJson } from '../../text/json.ts'

/** A call that is written down. */
export interface WrittenCall {
  readonly server: string
  /** By the server's own name. */
  readonly tool: string
  readonly schema: Schema
  readonly value: Record<string, unknown>
  /** The address of the endpoint. */
  readonly mcp: string
}

/** Call as a shell command; arguments that the schema does not call text are written as JSON. */
export function asCommand({ server, tool, schema, value }: WrittenCall): string {
  const texts = new Set(
    propertiesOf(schema).flatMap(([name, given]) => (resolve(given, schema).type === 'string' ? [name] : [])),
  )
  const entries = Object.entries(value)
  // a name that the command would read as something else is only safe within JSON
  const words = entries.every(([name]) => /^[\w.$][\w.$-]*$/.test(name))
    ? entries.map(([name, one]) =>
        typeof one === 'string' && texts.has(name) ? `${name}=${one}` : `${name}:=${JSON.stringify(one)}`,
      )
    : [JSON.stringify(value)]
  return ['trunkline', 'call', server, tool, ...words].map(quoted).join(' ')
}

/** Call as the HTTP request that a client sends; the token is one of `trunkline clients add`. */
export function asCurl({ url, headers, body }: RouteAnswer<'writtenCall'>): string {
  const own = Object.entries(headers).filter(([name]) => !/^(?:authorization|content-length)$/i.test(name))
  return [
    `curl ${quoted(url)}`,
    '-H "authorization: Bearer $TRUNKLINE_TOKEN"',
    ...own.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    `--data ${quoted(body)}`,
  ].join(' \\\n  ')
}

/** Call as a program with the library. */
export function asTypeScript({ server, tool, value, mcp }: WrittenCall): string {
  const address = `${mcp}/server/${encodeURIComponent(server)}`
  return `import { connect } from '@trunkline/mcp'

const headers = { authorization: \`Bearer \${process.env.TRUNKLINE_TOKEN}\` }
await using client = await connect(new URL(${JSON.stringify(address)}), { http: { headers } })
console.log(await client.tools.call(${JSON.stringify(tool)}, ${prettyJson(value)}))
`
}

/** A run whose answer is known. */
export interface AnsweredCall {
  readonly input: Record<string, unknown>
  readonly answer: RouteAnswer<'callTool'>
}

/** A file for `trunkline test`; what came back is what is expected. */
export function asTestFile(tool: string, calls: readonly AnsweredCall[]): string {
  const tests = calls.map(({ input, answer }, index) => ({
    name: calls.length === 1 ? tool : `${tool} ${index + 1}`,
    call: tool,
    arguments: input,
    expect: expectationOf(answer),
  }))
  return `${prettyJson({ tests })}\n`
}

function expectationOf({ error, result }: AnsweredCall['answer']): object {
  if (error?.code !== undefined) return { error: error.code }
  const blocks = Array.isArray(result?.content) ? result.content.filter(isSchema) : []
  const text = blocks.map((block) => (typeof block.text === 'string' ? block.text : '')).join('\n')
  return {
    ...(blocks.length > 0 && { text }),
    ...(result?.structuredContent !== undefined && { structured: result.structuredContent }),
    ...(result?.isError === true && { isError: true }),
  }
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
