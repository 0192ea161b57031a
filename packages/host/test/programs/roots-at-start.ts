/** A server that asks for roots as soon as it is initialised and when they change, outside of any call, as file servers do. */
import { createInterface } from 'node:readline'

const write = (value: object): void => void process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...value })}\n`)
let tell = (_roots: unknown): void => {}
let roots: Promise<unknown>
const ask = (): void => {
  roots = new Promise((resolve) => {
    tell = resolve
  })
  write({ id: 'roots', method: 'roots/list' })
}

createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method, params, result, error } = JSON.parse(line)
  if (method === 'initialize') {
    const serverInfo = { name: 'rooted', version: '1' }
    const { protocolVersion } = params
    if (protocolVersion === '2026-07-28') write({ id, error: { code: -32602, message: 'unknown revision' } })
    else write({ id, result: { protocolVersion, capabilities: { tools: {} }, serverInfo } })
  } else if (method === 'notifications/initialized' || method === 'notifications/roots/list_changed') ask()
  else if (id === 'roots') tell(error ?? result?.roots)
  else if (method === 'tools/list') {
    const annotations = { readOnlyHint: true }
    write({ id, result: { tools: [{ name: 'read_roots', inputSchema: { type: 'object' }, annotations }] } })
  } else if (method === 'tools/call') {
    write({ id, result: { content: [{ type: 'text', text: JSON.stringify(await roots) }] } })
  } else if (method === 'ping') write({ id, result: {} })
  else if (id !== undefined) write({ id, error: { code: -32601, message: 'no such method' } })
})
