import { randomBytes } from 'node:crypto'
import { type Client, type Fields, RpcError } from '@trunkline/mcp'
import { parseTemplate } from '@trunkline/mcp/relay'
import type { Entry } from '../catalogue/entry.ts'
import { ApiError } from './api-error.ts'
import type { HostEvent } from './events.ts'
import type { Handlers, RouteContext } from './handlers.ts'
import type { ApiParts } from './parts.ts'
import type { RouteAnswer } from './routes.ts'

type Run = RouteAnswer<'callTool'>

/** A page shows no more reports than this, and a server may send thousands. */
const progressEveryMs = 50

/** Runs what servers offer, for a person at a page: as acts of the principal `console`, judged like those of any caller. */
export function runHandlers(
  parts: ApiParts,
  tell: (event: HostEvent) => void,
): Pick<Handlers, 'callTool' | 'getPrompt' | 'readResource' | 'resources' | 'complete'> {
  return {
    async callTool({ server, tool, run, arguments: args }, { signal }) {
      const { shown } = entryOf(parts, server, 'tool', tool)
      const call = (client: Client, meta: Fields) =>
        client.request('tools/call', { name: shown, arguments: args, _meta: meta }, watched(run, tell, signal))
      return ran(parts, server, signal, async (client, meta) => {
        let result = await call(client, meta)
        // the call was let go of before a person answered; once they did, the same call collects the result
        for (let id = waitingFor(result); id !== undefined; id = waitingFor(result)) {
          await settledOrLeft(parts, id, signal)
          result = await call(client, meta)
        }
        return result
      })
    },
    getPrompt: ({ server, prompt, arguments: args }, { signal }) => {
      const { shown } = entryOf(parts, server, 'prompt', prompt)
      const request = (client: Client, _meta: Fields) =>
        client.request('prompts/get', { name: shown, arguments: args, _meta }, { signal })
      return ran(parts, server, signal, request)
    },
    readResource: ({ server, uri: written, variables }, { signal }) => {
      const uri = variables === undefined ? written : parseTemplate(written).expand(variables)
      return ran(parts, server, signal, (client, _meta) => client.request('resources/read', { uri, _meta }, { signal }))
    },
    resources: ({ server, cursor }, { signal }) =>
      ran(parts, server, signal, (client) =>
        client.request('resources/list', cursor === undefined ? {} : { cursor }, { signal }),
      ),
    async complete({ server, prompt, template, argument, value, context }, { signal }) {
      const ref =
        prompt === undefined
          ? { type: 'ref/resource', uri: template ?? '' }
          : { type: 'ref/prompt', name: entryOf(parts, server, 'prompt', prompt).shown }
      const params = { ref, argument: { name: argument, value }, ...(context && { context: { arguments: context } }) }
      const client = await parts.clientOf(server)
      const { completion } = await client.request('completion/complete', params, { signal })
      const { values } = completion as { readonly values: readonly string[] }
      return { items: [...values] }
    },
  }
}

function watched(run: string, tell: (event: HostEvent) => void, signal: AbortSignal) {
  let toldAt = 0
  return {
    signal,
    maxTotalMs: Number.MAX_SAFE_INTEGER,
    onProgress({ progress, total, message }: { progress: number; total?: number; message?: string }) {
      const now = performance.now()
      if (now - toldAt < progressEveryMs && progress !== total) return
      toldAt = now
      tell({ event: 'progress', run, progress, ...(total !== undefined && { total }), ...(message && { message }) })
    },
  }
}

/** Does something with a server; what it answers and how it fails are both a result for the page. */
async function ran(
  { clientOf }: ApiParts,
  server: string,
  signal: AbortSignal,
  work: (client: Client, meta: Fields) => Promise<Fields>,
): Promise<Run> {
  const trace = randomBytes(16).toString('hex')
  const meta = { traceparent: `00-${trace}-${randomBytes(8).toString('hex')}-01` }
  const start = performance.now()
  const ms = () => Math.round((performance.now() - start) * 10) / 10
  try {
    return { result: await work(await clientOf(server), meta), ms: ms(), trace }
  } catch (error) {
    signal.throwIfAborted()
    const message = error instanceof Error ? error.message : String(error)
    const more =
      error instanceof RpcError ? { code: error.code, ...(error.data !== undefined && { data: error.data }) } : {}
    return { error: { message, ...more }, ms: ms(), trace }
  }
}

function waitingFor({ _meta }: Fields): string | undefined {
  const id = (_meta as Fields | undefined)?.['trunkline/waiting-for-approval']
  return typeof id === 'string' ? id : undefined
}

async function settledOrLeft({ inbox }: ApiParts, id: string, signal: RouteContext['signal']): Promise<void> {
  const left = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
  await Promise.race([inbox.settled(id), left])
  signal.throwIfAborted()
}

function entryOf({ catalogue }: ApiParts, server: string, kind: Entry['kind'], name: string): Entry {
  const entry = catalogue.find(server, kind, name)
  if (!entry) throw new ApiError(404, `There is no ${kind} "${name}" of server "${server}"`)
  return entry
}
