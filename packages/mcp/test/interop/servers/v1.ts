import { completable } from '@modelcontextprotocol/sdk/server/completable.js'
import { McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js'
import {
  ListPromptsRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import * as fare from './fare.ts'
import { type Kitchen, kitchen } from './kitchen.ts'
import { reply, user } from './words.ts'

/** A new café of version 1 of the official SDK, for one session. */
export function v1Cafe(): McpServer {
  const cafe = new McpServer(fare.info, fare.options)
  offerContent(cafe)
  offerWork(cafe, kitchen())
  offerQuestions(cafe)
  offerChanges(cafe)
  offerResources(cafe)
  offerPrompts(cafe)
  return cafe
}

function offerContent(cafe: McpServer): void {
  cafe.registerTool(
    'add',
    { inputSchema: { a: z.number(), b: z.number() }, outputSchema: { sum: z.number() } },
    fare.add,
  )
  cafe.registerTool('fail', {}, () => {
    throw new Error('the machine is broken')
  })
  cafe.registerTool('show', {}, fare.show)
  cafe.registerTool('hear', {}, fare.hear)
}

function offerWork(cafe: McpServer, { finished, aborted }: Kitchen): void {
  cafe.registerTool('steps', {}, async ({ _meta, sendNotification }) => {
    const progressToken = _meta?.progressToken ?? 'none'
    for (const step of fare.steps) {
      await sendNotification({ method: 'notifications/progress', params: { progressToken, ...step } })
    }
    await finished.promise
    return reply('served')
  })
  cafe.registerTool('finish', {}, () => {
    finished.open()
    return reply('finished')
  })
  cafe.registerTool('hang', {}, async ({ _meta, signal, sendNotification }) => {
    signal.addEventListener('abort', () => aborted.open('aborted'))
    const params = { progressToken: _meta?.progressToken ?? 'none', progress: 1 }
    await sendNotification({ method: 'notifications/progress', params })
    return new Promise(() => {})
  })
  cafe.registerTool('aborted', {}, async () => reply(await aborted.promise))
  cafe.registerTool('log', {}, async ({ sessionId }) => {
    await cafe.sendLoggingMessage({ level: 'debug', data: 'too quiet to hear' }, sessionId)
    await cafe.sendLoggingMessage({ level: 'warning', data: 'low on milk', logger: 'kitchen' }, sessionId)
    return reply('logged')
  })
}

// half of the questions ride on the call they belong to, the others on the stream of the session
function offerQuestions(cafe: McpServer): void {
  const { server } = cafe
  cafe.registerTool('ask', {}, async ({ requestId }) => {
    const question = {
      message: 'With milk?',
      requestedSchema: {
        type: 'object' as const,
        properties: { milk: { type: 'boolean' as const } },
        required: ['milk'],
      },
    }
    const { content } = await server.elicitInput(question, { relatedRequestId: requestId })
    return reply(content?.milk ? 'with milk' : 'black')
  })
  cafe.registerTool('visit', {}, async () => {
    const page = { message: 'Pay here', url: 'https://cafe.example/pay', elicitationId: 'payment' }
    const { action } = await server.elicitInput({ mode: 'url', ...page })
    return reply(action === 'accept' ? 'paid' : action)
  })
  cafe.registerTool('think', {}, async ({ requestId }) => {
    const question = { ...user('a cake?'), maxTokens: 10 }
    const { content } = await server.createMessage(question, { relatedRequestId: requestId })
    return reply(JSON.stringify(content))
  })
  cafe.registerTool('where', {}, async () => reply((await server.listRoots()).roots.map(({ uri }) => uri).join()))
  cafe.registerTool('ping-back', {}, async () => reply(JSON.stringify(await server.ping())))
}

// this SDK has no subscriptions of its own
function offerChanges(cafe: McpServer): void {
  const watched = new Set<string>()
  cafe.server.setRequestHandler(SubscribeRequestSchema, ({ params }) => {
    watched.add(params.uri)
    return {}
  })
  cafe.server.setRequestHandler(UnsubscribeRequestSchema, ({ params }) => {
    watched.delete(params.uri)
    return {}
  })
  cafe.registerTool('touch', {}, async () => {
    if (watched.has(fare.menu.uri)) await cafe.server.sendResourceUpdated({ uri: fare.menu.uri })
    return reply('touched')
  })
  cafe.registerTool('grow', {}, () => {
    cafe.registerTool('grown', {}, () => reply('new'))
    return reply('grown')
  })
}

function offerResources(cafe: McpServer): void {
  cafe.registerResource('menu', fare.menu.uri, { mimeType: fare.menu.mimeType }, () => ({ contents: [fare.menu] }))
  cafe.registerResource('logo', fare.logo.uri, { mimeType: fare.logo.mimeType }, () => ({ contents: [fare.logo] }))
  const cups = new ResourceTemplate('cafe://cups/{size}', { list: undefined, complete: { size: fare.sizes } })
  cafe.registerResource('cups', cups, {}, fare.cup)
}

function offerPrompts(cafe: McpServer): void {
  cafe.registerPrompt('greet', {}, () => user('Good morning'))
  cafe.registerPrompt('thank', {}, () => user('Thank you'))
  cafe.registerPrompt('recommend', { argsSchema: { mood: completable(z.string(), fare.moods) } }, fare.recommend)
  cafe.server.setRequestHandler(ListPromptsRequestSchema, ({ params }) => fare.promptPage(params?.cursor))
}
