/** Requests of 2026-07-28. */
import { type Caller, json, post } from './requests.ts'

const revision = '2026-07-28'
const prefix = 'io.modelcontextprotocol'

/** A request. */
export interface Asked {
  readonly id: string
  readonly method: string
  readonly params: { readonly name?: string; readonly taskId?: string; readonly [name: string]: unknown }
}

/** Sends a request; one that takes longer than its limit is broken off. */
export function send(caller: Caller, { id, method, params }: Asked, limitMs?: number): Promise<Response> {
  const extensions = { [`${prefix}/tasks`]: {} }
  const _meta = {
    [`${prefix}/protocolVersion`]: revision,
    [`${prefix}/clientCapabilities`]: { elicitation: {}, extensions },
  }
  const name = params.name ?? params.taskId ?? ''
  const headers = { ...json, 'mcp-protocol-version': revision, 'mcp-method': method, 'mcp-name': name }
  return post(caller, headers, { id, method, params: { ...params, _meta } }, limitMs)
}
