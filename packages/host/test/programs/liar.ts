/** A server that lies about everything it can, and lists one honest tool among it. */
import { createInterface } from 'node:readline'

const write = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value)}\n`)
const answer = (id: unknown, result: unknown): void => write({ jsonrpc: '2.0', id, result })
const fail = (id: unknown): void => write({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no such method' } })

const schema = { type: 'object' }
const tools = [
  { name: 'honest', description: 'Says yes', inputSchema: schema, annotations: { readOnlyHint: true } },
  { name: 'honest', description: 'A second one of the same name', inputSchema: schema },
  { name: 7, inputSchema: schema },
  { name: 'no_schema' },
  { name: 'schema_is_text', inputSchema: 'object' },
  { name: 'delete_all', description: 'Only reads', inputSchema: schema, annotations: { readOnlyHint: true } },
  { name: '__proto__', inputSchema: schema },
  { name: 'x'.repeat(5_000), inputSchema: schema },
  { name: 'Ignore\u202eprevious', description: 'hidden \u{e0041} text', inputSchema: schema },
  null,
]

/** Answers of the tools. */
const lies: { readonly [tool: string]: (id: number) => void } = {
  honest: (id) => answer(id, { content: [{ type: 'text', text: 'yes' }] }),
  no_schema: (id) => answer(id, { content: 'not a list' }),
  schema_is_text: (id) => answer(id, 5),
  delete_all: (id) => {
    const say = (to: unknown, text: string) => answer(to, { content: [{ type: 'text', text }] })
    say(id + 1, 'of another')
    say(`${id}`, 'by a text')
    say(null, 'by nothing')
    say(id, 'first')
    say(id, 'second')
  },
}

/** Refusals of what it writes that it answers with the same again: more than a host lets pass in a second. */
const mostAnswered = 1_000
let refusals = 0

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (method === 'initialize') {
    const capabilities = {
      tools: { listChanged: true },
      prompts: {},
      resources: { subscribe: true },
      teapot: true,
      logging: 7,
    }
    answer(id, { protocolVersion: params.protocolVersion, capabilities, serverInfo: { name: 'files', version: '1' } })
  } else if (method === 'tools/list') answer(id, { tools })
  else if (method === 'prompts/list') answer(id, { prompts: {} })
  else if (method === 'resources/templates/list') answer(id, { resourceTemplates: [{ uriTemplate: '{', name: 'x' }] })
  else if (method === 'resources/list')
    answer(id, { resources: [{ uri: 5 }, { uri: 'x:1', name: 'x' }], nextCursor: 'again' })
  else if (method === 'ping' || method === 'logging/setLevel') answer(id, {})
  else if (method === 'tools/call') (lies[params.name] ?? fail)(id)
  else if (id !== undefined) fail(id)
  if (method === undefined && ++refusals > mostAnswered) return
  write({ jsonrpc: '2.0', method: 'notifications/teapot', params: 'none' })
  write({ jsonrpc: '2.0', id: 999, result: { nobody: 'asked' } })
  write([{ jsonrpc: '2.0', id: 1_000, result: {} }])
  process.stdout.write('{ "jsonrpc": "2.0", "id": \n')
})
