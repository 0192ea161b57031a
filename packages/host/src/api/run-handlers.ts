import { randomBytes } from 'node:crypto'
import { type Client, type Fields, RpcError } from '@trunkline/mcp'
import { isForApp } from '@trunkline/mcp/apps'
import { parseTemplate } from '@trunkline/mcp/relay'
import { serverNameOf } from '../act/server-key.ts'
import { ApiError } from './api-error.ts'
import { type AppCall, AppCalls, appProgram } from './app-calls.ts'
import { entryOf } from './entry-of.ts'
import type { HostEvent } from './events.ts'
import type { Handlers, RouteContext } from './handlers.ts'
import type { ApiParts } from './parts.ts'
import { progressTo } from './progress-to.ts'
import { ResourceWatches } from './resource-watches.ts'
import type { RouteAnswer, RouteInput } from './routes.ts'

type Run = RouteAnswer<'callTool'>
type By = RouteInput<'callTool'>['by']
type Work = (client: Client, meta: Fields) => Promise<Fields>

/** Runs tools, prompts and reads for a person at a page: as acts of the principal `console`, judged like those of any caller. */
export function runHandlers(
  parts: ApiParts,
  tell: (event: HostEvent) => void,
): Pick<
  Handlers,
  'callTool' | 'writtenCall' | 'getPrompt' | 'readResource' | 'watchResource' | 'resources' | 'complete'
> {
  const watches = new ResourceWatches({
    clientOf: (server) => parts.clientOf(server),
    onChange: (server, uri) => tell({ event: 'resource', server, uri }),
  })
  const appCalls = new AppCalls(parts.inbox)
  const ranBy = (by: By, call: AppCall, signal: AbortSignal, work: Work) =>
    by === 'app'
      ? appCalls.run({ ...call, server: serverNameOf(call.server) }, () =>
          ran(forApp(parts), call.server, signal, work),
        )
      : ran(parts, call.server, signal, work)
  return {
    async callTool({ server, tool, run, arguments: args, by }, { signal }) {
      const { shown, definition } = entryOf(parts, server, 'tool', tool)
      if (by === 'app' && !isForApp(definition)) throw new ApiError(403, `The tool "${tool}" is not for apps`)
      const call = (client: Client, meta: Fields) =>
        client.request(
          'tools/call',
          { name: shown, arguments: args, _meta: meta },
          { signal, maxTotalMs: Number.MAX_SAFE_INTEGER, onProgress: progressTo(run, tell) },
        )
      return ranBy(by, { server, target: tool, arguments: args }, signal, async (client, meta) => {
        let result = await call(client, meta)
        // the call was let go of before a person answered; once they did, the same call collects the result
        for (let id = waitingFor(result._meta); id !== undefined; id = waitingFor(result._meta)) {
          await settledOrLeft(parts, id, signal)
          result = await call(client, meta)
        }
        return result
      })
    },
    async writtenCall({ server, tool, arguments: args }) {
      const { shown } = entryOf(parts, server, 'tool', tool)
      return { ...(await parts.writtenCall(server, shown, args)) }
    },
    getPrompt: ({ server, prompt, arguments: args }, { signal }) => {
      const { shown } = entryOf(parts, server, 'prompt', prompt)
      const request = (client: Client, _meta: Fields) =>
        client.request('prompts/get', { name: shown, arguments: args, _meta }, { signal })
      return ran(parts, server, signal, request)
    },
    readResource: ({ server, uri: written, variables, by }, { signal }) => {
      const uri = variables === undefined ? written : parseTemplate(written).expand(variables)
      return ranBy(by, { server, target: uri, arguments: {} }, signal, (client, _meta) =>
        readWhenAnswered(() => client.request('resources/read', { uri, _meta }, { signal }), parts, signal),
      )
    },
    watchResource: async ({ server, uri }) => ({ until: await watches.watch(server, uri) }),
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

/** An app is no person: it asks anew for calls that a person allowed themselves at the page. */
function forApp(parts: ApiParts): ApiParts {
  return { ...parts, clientOf: (server) => parts.clientOf(server, appProgram) }
}

/** Does something with a server; its answer and its error are both a result for the page. */
async function ran({ clientOf }: ApiParts, server: string, signal: AbortSignal, work: Work): Promise<Run> {
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

/** Reads again once a person answered, if the first read was not held that long. */
async function readWhenAnswered(read: () => Promise<Fields>, parts: ApiParts, signal: AbortSignal): Promise<Fields> {
  for (;;) {
    try {
      return await read()
    } catch (error) {
      const id = error instanceof RpcError ? waitingFor(error.data) : undefined
      if (id === undefined) throw error
      await settledOrLeft(parts, id, signal)
    }
  }
}

/** The question that an answer of the host says it waits for. */
function waitingFor(said: unknown): string | undefined {
  const id = (said as Fields | undefined)?.['dev.trunkline/waiting-for-approval']
  return typeof id === 'string' ? id : undefined
}

async function settledOrLeft({ inbox }: ApiParts, id: string, signal: RouteContext['signal']): Promise<void> {
  const left = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
  await Promise.race([inbox.settled(id), left])
  signal.throwIfAborted()
}
