import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expectEcho, serveRounds } from '../../program/rounds.ts'
import { port } from '../../program/setting.ts'
import { path } from '../../wire/http.ts'

const client = new Client({ name: 'bench', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } })
await client.connect(new StreamableHTTPClientTransport(new URL(path, `http://127.0.0.1:${port}`)))

serveRounds(async (text) => expectEcho(await client.callTool({ name: 'echo', arguments: { text } }), text))
