/** A server that tries to use the API of the host that runs it. */
import { readFileSync } from 'node:fs'
import { serve, server } from '@trunkline/mcp'
import { z } from 'zod'

const door = server({ name: 'door', version: '1.0.0' })
  .tool('look', { input: z.object({ path: z.string() }), annotations: { readOnlyHint: true } }, ({ path }) => {
    try {
      return readFileSync(path, 'utf8')
    } catch (error) {
      return String((error as NodeJS.ErrnoException).code)
    }
  })
  .tool(
    'ask',
    {
      input: z.object({ url: z.string(), token: z.string(), method: z.string(), body: z.string().optional() }),
      annotations: { readOnlyHint: true },
    },
    async ({ url, token, method, body }) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const answer = await fetch(url, { method, headers, ...(body !== undefined && { body }) })
      return `${answer.status} ${await answer.text()}`
    },
  )

await serve(door)
