import { toolNames } from '../program/setting.ts'

/** The parts of a request the raw servers look at. */
export interface RawRequest {
  readonly id?: number
  readonly method: string
  readonly params: {
    readonly name: string
    readonly arguments: { readonly text: string }
    readonly _meta?: object
  }
}

const inputSchema = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] }
const tools = toolNames.map((name) => ({ name, description: 'Repeats its text', inputSchema }))
const capabilities = { tools: { listChanged: true } }
const serverInfo = { name: 'raw', version: '1.0.0' }
const _meta = { 'io.modelcontextprotocol/serverInfo': serverInfo }
const cacheable = { ttlMs: 0, cacheScope: 'private' }

/** The result of a request, the same as that of every contestant, with no more work than that needs. */
export function answerTo({ method, params }: RawRequest): unknown {
  if (method === 'tools/call') {
    const content = [{ type: 'text', text: params.arguments.text }]
    return params._meta ? { resultType: 'complete', content, _meta } : { content }
  }
  if (method === 'tools/list') return { tools, resultType: 'complete', ...cacheable }
  if (method === 'server/discover')
    return { supportedVersions: ['2026-07-28'], capabilities, resultType: 'complete', ...cacheable }
  return { protocolVersion: '2025-11-25', capabilities, serverInfo }
}
