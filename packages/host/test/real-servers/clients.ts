/** The official clients of both versions, over HTTP and through `trunkline stdio`. */
import { StreamableHTTPClientTransport as V2Http } from '@modelcontextprotocol/client'
import { StdioClientTransport as V2Stdio } from '@modelcontextprotocol/client/stdio'
import { StdioClientTransport as V1Stdio } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as V1Http } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { Driver } from '../../../mcp/test/interop/driver.ts'
import { v1 } from '../../../mcp/test/interop/drivers/v1.ts'
import { v2 } from '../../../mcp/test/interop/drivers/v2.ts'
import type { Door } from './world.ts'

const handshake = '2025-11-25'
const stateless = '2026-07-28'

export const clients: { readonly [name: string]: (door: Door) => Promise<Driver> } = {
  'v1 over HTTP': ({ url, headers }) => v1(new V1Http(url, { requestInit: { headers } }) as Transport),
  'v1 over stdio': ({ program }) => v1(new V1Stdio(program)),
  'v2 over HTTP, with a handshake': ({ url, headers }) => v2(new V2Http(url, { requestInit: { headers } }), handshake),
  'v2 over stdio, with a handshake': ({ program }) => v2(new V2Stdio(program), handshake),
  'v2 over HTTP, without sessions': ({ url, headers }) => v2(new V2Http(url, { requestInit: { headers } }), stateless),
  'v2 over stdio, without sessions': ({ program }) => v2(new V2Stdio(program), stateless),
}
