/** A server whose tools, resources and prompts give results of any size. */

import { serve, server } from '@trunkline/mcp'
import { z } from 'zod'

const input = z.object({ bytes: z.number() })

const large = server({ name: 'large', version: '1.0.0' })
  .tool('read_text', { input }, ({ bytes }) => 'x'.repeat(bytes))
  .tool('read_lines', { input: z.object({ lines: z.number() }) }, ({ lines }) =>
    Array.from({ length: lines }, (_, at) => `line ${at + 1} of many`).join('\n'),
  )
  .tool('read_table', { input, output: z.object({ rows: z.string() }) }, ({ bytes }) => ({ rows: 'r'.repeat(bytes) }))
  .tool('read_image', { input }, ({ bytes }) => ({
    content: [{ type: 'image', mimeType: 'image/png', data: Buffer.alloc(bytes, 7).toString('base64') }],
  }))
  .template('lines:{count}', { name: 'lines' }, ({ count }) =>
    Array.from({ length: Number(count) }, (_, at) => `line ${at + 1} of many`).join('\n'),
  )
  .template('bytes:{count}', { name: 'bytes', mimeType: 'image/png' }, ({ count }) => Buffer.alloc(Number(count), 7))
  .resource('unlisted:lines', { name: 'unlisted' }, () => 'a line\n'.repeat(2 * 1024 ** 2))
  .prompt('tell', { arguments: z.object({ bytes: z.string() }) }, ({ bytes }) => 'x'.repeat(Number(bytes)))
  .use((next) => async (request) => {
    const result = await next(request)
    return request.method === 'resources/list' ? { resources: [] } : result
  })

await serve(large)
