import { randomBytes } from 'node:crypto'
import { type Client, type Fields, RpcError } from '@trunkline/mcp'
import { isForApp } from '@trunkline/mcp/apps'
import { parseTemplate } from '@trunkline/mcp/relay'
import { z } from 'zod'
import { serverNameOf } from '../act/server-key.ts'
import type { Host } from '../assembly/host.ts'
import { ApiError } from './api-error.ts'
import { type AppCall, appProgram } from './app-calls.ts'
import { entryOf } from './entry-of.ts'
import { progressTo } from './progress-to.ts'
import { route } from './route.ts'
import * as s from './schemas.ts'
import type { RouteServices } from './services.ts'

type Run = z.output<typeof s.run>
type Work = (client: Client, meta: Fields) => Promise<Fields>

/** A run at a server, for one of the person's programs. */
interface Runner {
  readonly server: string
  readonly signal: AbortSignal
  /** @default `console` */
  readonly program?: string
}

/** Routes that run tools, prompts and reads for a person at a page, as acts that are judged like those of any caller. */
export const runRoutes = {
  callTool: route({
    method: 'POST',
    path: '/api/servers/{server}/tools/{tool}/call',
    needs: 'person',
    says: 'Calls a tool for the person at the page; events tell its progress, and closing the request cancels it',
    body: z.strictObject({ run: z.string().max(100), arguments: z.record(z.string(), z.unknown()), by: s.runBy }),
    answer: s.run,
    async handle({ server, tool, run, arguments: args, by }, services, { signal }) {
      const { shown, definition } = entryOf(services.host, server, 'tool', tool)
      if (by === 'app' && !isForApp(definition)) throw new ApiError(403, `The tool "${tool}" is not for apps`)
      const call = (client: Client, meta: Fields) =>
        client.request(
          'tools/call',
          { name: shown, arguments: args, _meta: meta },
          { signal, maxTotalMs: Number.MAX_SAFE_INTEGER, onProgress: progressTo(run, services.tell) },
        )
      return ranBy(services, { by, signal, server, target: tool, arguments: args }, async (client, meta) => {
        let result = await call(client, meta)
        // the call was let go of before a person answered; once they did, the same call collects the result
        for (let id = waitingFor(result._meta); id !== undefined; id = waitingFor(result._meta)) {
          await settledOrLeft(services.host, id, signal)
          result = await call(client, meta)
        }
        return result
      })
    },
  }),
  writtenCall: route({
    method: 'POST',
    path: '/api/servers/{server}/tools/{tool}/request',
    needs: 'person',
    says: 'The HTTP request with which a client calls a tool, to be used elsewhere; nothing is called',
    body: z.strictObject({ arguments: z.record(z.string(), z.unknown()) }),
    answer: z.object({ url: z.string(), headers: z.record(z.string(), z.string()), body: z.string() }),
    async handle({ server, tool, arguments: args }, { host }) {
      const { shown } = entryOf(host, server, 'tool', tool)
      return { ...(await host.writtenCall(server, 'console', shown, args)) }
    },
  }),
  getPrompt: route({
    method: 'POST',
    path: '/api/servers/{server}/prompts/{prompt}/get',
    needs: 'person',
    says: 'Fills in a prompt',
    body: z.strictObject({ arguments: z.record(z.string(), z.string()) }),
    answer: s.run,
    handle: ({ server, prompt, arguments: args }, { host }, { signal }) => {
      const { shown } = entryOf(host, server, 'prompt', prompt)
      const request = (client: Client, _meta: Fields) =>
        client.request('prompts/get', { name: shown, arguments: args, _meta }, { signal })
      return ran(host, { server, signal }, request)
    },
  }),
  readResource: route({
    method: 'POST',
    path: '/api/servers/{server}/resources/read',
    needs: 'person',
    says: 'Reads a resource',
    body: z.strictObject({
      uri: z.string(),
      variables: z.record(z.string(), z.string()).optional().describe('With these, the address is a template'),
      by: s.runBy,
    }),
    answer: s.run,
    handle: ({ server, uri: written, variables, by }, services, { signal }) => {
      const uri = variables === undefined ? written : parseTemplate(written).expand(variables)
      return ranBy(services, { by, signal, server, target: uri, arguments: {} }, (client, _meta) =>
        readWhenAnswered(() => client.request('resources/read', { uri, _meta }, { signal }), services.host, signal),
      )
    },
  }),
  resources: route({
    method: 'GET',
    path: '/api/servers/{server}/resources',
    needs: 'nothing',
    says: 'One page of the resources a server lists',
    query: z.strictObject({ cursor: z.string().optional() }),
    answer: s.run,
    handle: ({ server, cursor }, { host }, { signal }) =>
      ran(host, { server, signal }, (client) =>
        client.request('resources/list', cursor === undefined ? {} : { cursor }, { signal }),
      ),
  }),
  complete: route({
    method: 'POST',
    path: '/api/servers/{server}/complete',
    needs: 'nothing',
    says: 'What a server proposes for an argument of a prompt or of a template',
    body: z.strictObject({
      prompt: z.string().optional(),
      template: z.string().optional(),
      argument: z.string(),
      value: z.string(),
      context: z.record(z.string(), z.string()).optional(),
    }),
    answer: s.list(z.string()),
    async handle({ server, prompt, template, argument, value, context }, { host }, { signal }) {
      const ref =
        prompt === undefined
          ? { type: 'ref/resource', uri: template ?? '' }
          : { type: 'ref/prompt', name: entryOf(host, server, 'prompt', prompt).shown }
      const params = { ref, argument: { name: argument, value }, ...(context && { context: { arguments: context } }) }
      const client = await host.clientOf(server, 'console')
      const { completion } = await client.request('completion/complete', params, { signal })
      const { values } = completion as { readonly values: readonly string[] }
      return { items: [...values] }
    },
  }),
  watchResource: route({
    method: 'POST',
    path: '/api/servers/{server}/resources/watch',
    needs: 'nothing',
    says: 'Has events tell when a resource changes, for a minute; who still looks at it asks again',
    body: z.strictObject({ uri: z.string() }),
    answer: z.object({ until: z.number() }),
    handle: async ({ server, uri }, { watches }) => ({ until: await watches.watch(server, uri) }),
  }),
}

/** Works for the page, or for an app in it: an app is no person, and asks anew for calls that a person allowed at the page. */
function ranBy(
  { host, appCalls }: RouteServices,
  { by, signal, ...call }: AppCall & { readonly by: z.output<typeof s.runBy>; readonly signal: AbortSignal },
  work: Work,
): Promise<Run> {
  const { server } = call
  if (by !== 'app') return ran(host, { server, signal }, work)
  const program = appProgram
  return appCalls.run({ ...call, server: serverNameOf(server) }, () => ran(host, { server, signal, program }, work))
}

/** Does something with a server; its answer and its error are both a result for the page. */
async function ran(host: Host, { server, signal, program = 'console' }: Runner, work: Work): Promise<Run> {
  const trace = randomBytes(16).toString('hex')
  const meta = { traceparent: `00-${trace}-${randomBytes(8).toString('hex')}-01` }
  const start = performance.now()
  const ms = () => Math.round((performance.now() - start) * 10) / 10
  try {
    return { result: await work(await host.clientOf(server, program), meta), ms: ms(), trace }
  } catch (error) {
    signal.throwIfAborted()
    const message = error instanceof Error ? error.message : String(error)
    const more =
      error instanceof RpcError ? { code: error.code, ...(error.data !== undefined && { data: error.data }) } : {}
    return { error: { message, ...more }, ms: ms(), trace }
  }
}

/** Reads again once a person answered, if the first read was not held that long. */
async function readWhenAnswered(read: () => Promise<Fields>, host: Host, signal: AbortSignal): Promise<Fields> {
  for (;;) {
    try {
      return await read()
    } catch (error) {
      const id = error instanceof RpcError ? waitingFor(error.data) : undefined
      if (id === undefined) throw error
      await settledOrLeft(host, id, signal)
    }
  }
}

/** The question that an answer of the host says it waits for. */
function waitingFor(said: unknown): string | undefined {
  const id = (said as Fields | undefined)?.['dev.trunkline/waiting-for-approval']
  return typeof id === 'string' ? id : undefined
}

async function settledOrLeft({ inbox }: Host, id: string, signal: AbortSignal): Promise<void> {
  const left = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
  // the page waits on behalf of the call, which is made again
  inbox.noteCaller(id, 'waits')
  await Promise.race([inbox.settled(id), left])
  if (signal.aborted) inbox.noteCaller(id, 'gone')
  signal.throwIfAborted()
}
