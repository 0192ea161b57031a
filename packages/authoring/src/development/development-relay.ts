import { type Fields, RpcError } from '@trunkline/mcp'
import { type Relay, type RelayRequest, relay } from '@trunkline/mcp/relay'
import type { DevelopedServer } from './developed-server.ts'

/** Time that a request waits for a server that does not start until it is repaired. */
const waitMs = 30_000

/** Serves whatever a server under development is at the moment, so that clients stay connected while it is started anew. */
export function developmentRelay(developed: DevelopedServer): Relay {
  return relay({
    name: 'development',
    // the title tells clients that the server was not reviewed
    title: 'A server under development',
    version: '0',
    capabilities: {
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { listChanged: true },
      completions: {},
    },
    handle: (request) => handle(request, developed),
    watch(_, onChange) {
      const tell = (): void => {
        for (const kind of ['tools', 'prompts', 'resources'] as const) onChange({ kind })
      }
      return developed.onStart(tell)
    },
  })
}

const lists: { readonly [method: string]: readonly ['tools' | 'prompts' | 'resources', Fields] } = {
  'tools/list': ['tools', { tools: [] }],
  'prompts/list': ['prompts', { prompts: [] }],
  'resources/list': ['resources', { resources: [] }],
  'resources/templates/list': ['resources', { resourceTemplates: [] }],
}

async function handle(
  { method, params, signal, wantsProgress, progress }: RelayRequest,
  developed: DevelopedServer,
): Promise<Fields> {
  const client = await soon(developed, signal)
  const [feature, nothing] = lists[method] ?? []
  // it may offer something of that kind after the next change
  if (feature !== undefined && nothing !== undefined && client.capabilities[feature] === undefined) return nothing
  const { _meta, ...own } = params
  return client.request(method, own, { signal, ...(wantsProgress && { onProgress: progress }) })
}

async function soon(developed: DevelopedServer, signal: AbortSignal) {
  const late = AbortSignal.any([signal, AbortSignal.timeout(waitMs)])
  return Promise.race([
    developed.current(),
    new Promise<never>((_, reject) => {
      const refuse = (): void =>
        reject(new RpcError(-32603, 'Cannot call the server: it does not run; save a file that lets it start'))
      late.addEventListener('abort', refuse, { once: true })
    }),
  ])
}
