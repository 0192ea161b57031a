import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { expectEcho, serveRounds } from '../../program/rounds.ts'
import { port } from '../../program/setting.ts'
import { path } from '../../wire/http.ts'

const client = new Client({ name: 'bench', version: '1.0.0' })
await client.connect(new StreamableHTTPClientTransport(new URL(path, `http://127.0.0.1:${port}`)) as Transport)

serveRounds(async (text) => expectEcho(await client.callTool({ name: 'echo', arguments: { text } }), text))
