import { serve } from '@hono/node-server'
import { StreamableHttpTransport } from 'mcp-lite'
import { port } from '../../program/setting.ts'
import { definition } from './definition.ts'

const answer = new StreamableHttpTransport().bind(definition)

serve({ hostname: '127.0.0.1', port, fetch: (request) => answer(request) })
