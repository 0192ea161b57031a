import { serve } from '@hono/node-server'
import { InMemorySessionAdapter, StreamableHttpTransport } from 'mcp-lite'
import { port } from '../../program/setting.ts'
import { definition } from './definition.ts'

const sessionAdapter = new InMemorySessionAdapter({ maxEventBufferSize: 1024 })
const answer = new StreamableHttpTransport({ sessionAdapter }).bind(definition)

serve({ hostname: '127.0.0.1', port, fetch: (request) => answer(request) })
