import type { ViewClient } from '@trunkline/mcp/apps'
import { callHost } from '../host/call.ts'
import { catalogueQuery, queryClient } from '../host/queries.ts'

type Listed = ReturnType<ViewClient['tools']['list']>
type Called = Awaited<ReturnType<ViewClient['tools']['call']>>
type Read = Awaited<ReturnType<ViewClient['resources']['read']>>

/** The one server that an app reaches, through the host and under the policy, as a program of its own. */
export function appClient(server: string): ViewClient {
  return {
    tools: {
      list: () => tools(server),
      async call(name, input, { signal } = {}) {
        const run = crypto.randomUUID()
        const asked = { server, tool: name, run, arguments: { ...input }, by: 'app' as const }
        const { result, error } = await callHost('callTool', asked, { ...(signal && { signal }) })
        if (result) return result as unknown as Called
        return { isError: true, content: [{ type: 'text', text: error?.message ?? 'Nothing came back' }] }
      },
    },
    resources: {
      async read(uri, { signal } = {}) {
        const { result, error } = await callHost(
          'readResource',
          { server, uri, by: 'app' },
          { ...(signal && { signal }) },
        )
        if (!result) throw new Error(error?.message ?? 'Nothing came back')
        return result as unknown as Read
      },
    },
  }
}

async function* tools(server: string): Listed {
  const { items } = await queryClient.ensureQueryData(catalogueQuery)
  for (const { kind, server: of, original, definition, standing } of items) {
    const isOffered = standing === 'usable' || standing === 'changed'
    if (kind === 'tool' && of === server && isOffered) yield { ...definition, name: original } as never
  }
}
