import { HttpTransport } from '@tmcp/transport-http'
import { serve } from 'srvx'
import { port } from '../../program/setting.ts'
import { path } from '../../wire/http.ts'
import { definition } from './definition.ts'

const transport = new HttpTransport(definition, { path })

serve({
  hostname: '127.0.0.1',
  port,
  silent: true,
  fetch: async (request) => (await transport.respond(request)) ?? new Response(null, { status: 404 }),
})
