import { prettyJson } from '../../text/json.ts'

/** A call that is written down. */
export interface WrittenCall {
  readonly server: string
  /** By the server's own name. */
  readonly tool: string
  readonly value: Record<string, unknown>
  /** The address of the endpoint. */
  readonly mcp: string
}

/** As a line for a shell; what is no text is written as JSON. */
export function asCommand({ server, tool, value }: WrittenCall): string {
  const words = Object.entries(value).map(([name, one]) =>
    typeof one === 'string' ? `${name}=${one}` : `${name}:=${JSON.stringify(one)}`,
  )
  return ['trunkline', 'call', server, tool, ...words].map(quoted).join(' ')
}

/** As a request to the host's own API; the token is in the file of the running host. */
export function asCurl({ server, tool, value, mcp }: WrittenCall): string {
  const path = `/api/servers/${encodeURIComponent(server)}/tools/${encodeURIComponent(tool)}/call`
  const body = JSON.stringify({ run: 'curl', arguments: value })
  return [
    `curl ${quoted(new URL(path, mcp).href)}`,
    '-H "Authorization: Bearer $TRUNKLINE_API_TOKEN"',
    "-H 'Content-Type: application/json'",
    `--data ${quoted(body)}`,
  ].join(' \\\n  ')
}

/** As a program with the library. */
export function asTypeScript({ server, tool, value, mcp }: WrittenCall): string {
  const address = new URL(`/mcp/server/${server}`, mcp).href
  return `import { connect } from '@trunkline/mcp'

const headers = { authorization: \`Bearer \${process.env.TRUNKLINE_TOKEN}\` }
await using client = await connect(new URL(${JSON.stringify(address)}), { http: { headers } })
console.log(await client.tools.call(${JSON.stringify(tool)}, ${prettyJson(value)}))
`
}

/** As a case in a file for `trunkline test`; what came back is what is expected. */
export function asTestCase({ tool, value }: WrittenCall, result: Record<string, unknown> | undefined): string {
  const [first] = Array.isArray(result?.content) ? result.content : []
  const text = typeof first?.text === 'string' ? { text: first.text } : {}
  const expect = result?.isError === true ? { isError: true } : text
  return prettyJson({ name: tool, call: tool, arguments: value, ...(Object.keys(expect).length > 0 && { expect }) })
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
