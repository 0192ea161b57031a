import { completable } from '@modelcontextprotocol/sdk/server/completable.js'
import { McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js'
import {
  ListPromptsRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { type Kitchen, kitchen } from './kitchen.ts'

const said = (text: string) => ({ content: [{ type: 'text' as const, text }] })
const user = (text: string) => ({ messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] })

/** A new café of version 1 of the official SDK, for one session. */
export function v1Cafe(): McpServer {
  const cafe = new McpServer(
    { name: 'cafe', version: '1.0.0' },
    { instructions: 'Be polite', capabilities: { logging: {}, resources: { subscribe: true, listChanged: true } } },
  )
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
    ({ a, b }) => ({ ...said(`{"sum":${a + b}}`), structuredContent: { sum: a + b } }),
  )
  cafe.registerTool('fail', {}, () => {
    throw new Error('the machine is broken')
  })
  cafe.registerTool('show', {}, () => ({
    content: [
      { type: 'text', text: 'a cup' },
      { type: 'image', data: 'AQID', mimeType: 'image/png' },
      { type: 'resource', resource: { uri: 'cafe://menu', mimeType: 'text/plain', text: 'espresso, cortado' } },
    ],
  }))
  cafe.registerTool('hear', {}, () => ({ content: [{ type: 'audio', data: 'BAUG', mimeType: 'audio/wav' }] }))
}

function offerWork(cafe: McpServer, { finished, aborted }: Kitchen): void {
  cafe.registerTool('steps', {}, async ({ _meta, sendNotification }) => {
    const progressToken = _meta?.progressToken ?? 'none'
    for (const [at, message] of ['grinding', 'pressing', 'pouring'].entries()) {
      const params = { progressToken, progress: at + 1, total: 3, message }
      await sendNotification({ method: 'notifications/progress', params })
    }
    await finished.promise
    return said('served')
  })
  cafe.registerTool('finish', {}, () => {
    finished.open()
    return said('finished')
  })
  cafe.registerTool('hang', {}, async ({ _meta, signal, sendNotification }) => {
    signal.addEventListener('abort', () => aborted.open('aborted'))
    const params = { progressToken: _meta?.progressToken ?? 'none', progress: 1 }
    await sendNotification({ method: 'notifications/progress', params })
    return new Promise(() => {})
  })
  cafe.registerTool('aborted', {}, async () => said(await aborted.promise))
  cafe.registerTool('log', {}, async ({ sessionId }) => {
    await cafe.sendLoggingMessage({ level: 'debug', data: 'too quiet to hear' }, sessionId)
    await cafe.sendLoggingMessage({ level: 'warning', data: 'low on milk', logger: 'kitchen' }, sessionId)
    return said('logged')
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
    return said(content?.milk ? 'with milk' : 'black')
  })
  cafe.registerTool('visit', {}, async () => {
    const page = { message: 'Pay here', url: 'https://cafe.example/pay', elicitationId: 'payment' }
    const { action } = await server.elicitInput({ mode: 'url', ...page })
    return said(action === 'accept' ? 'paid' : action)
  })
  cafe.registerTool('think', {}, async ({ requestId }) => {
    const question = { ...user('a cake?'), maxTokens: 10 }
    const { content } = await server.createMessage(question, { relatedRequestId: requestId })
    return said(JSON.stringify(content))
  })
  cafe.registerTool('where', {}, async () => said((await server.listRoots()).roots.map(({ uri }) => uri).join()))
  cafe.registerTool('ping-back', {}, async () => said(JSON.stringify(await server.ping())))
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
    if (watched.has('cafe://menu')) await cafe.server.sendResourceUpdated({ uri: 'cafe://menu' })
    return said('touched')
  })
  cafe.registerTool('grow', {}, () => {
    cafe.registerTool('grown', {}, () => said('new'))
    return said('grown')
  })
}

function offerResources(cafe: McpServer): void {
  cafe.registerResource('menu', 'cafe://menu', { mimeType: 'text/plain' }, ({ href }) => ({
    contents: [{ uri: href, mimeType: 'text/plain', text: 'espresso, cortado' }],
  }))
  cafe.registerResource('logo', 'cafe://logo', { mimeType: 'image/png' }, ({ href }) => ({
    contents: [{ uri: href, mimeType: 'image/png', blob: 'AQID' }],
  }))
  const sizes = (start: string) => ['small', 'large'].filter((size) => size.startsWith(start))
  const cups = new ResourceTemplate('cafe://cups/{size}', { list: undefined, complete: { size: sizes } })
  cafe.registerResource('cups', cups, {}, ({ href }, { size }) => ({
    contents: [{ uri: href, text: `a ${size} cup` }],
  }))
}

function offerPrompts(cafe: McpServer): void {
  const moods = (start = '') => ['happy', 'hungry', 'sad'].filter((mood) => mood.startsWith(start))
  cafe.registerPrompt('greet', {}, () => user('Good morning'))
  cafe.registerPrompt('thank', {}, () => user('Thank you'))
  cafe.registerPrompt('recommend', { argsSchema: { mood: completable(z.string(), moods) } }, ({ mood }) =>
    user(`What suits somebody who is ${mood}?`),
  )
  // nor has it pages
  cafe.server.setRequestHandler(ListPromptsRequestSchema, ({ params }) =>
    params?.cursor === 'more'
      ? { prompts: [{ name: 'recommend', arguments: [{ name: 'mood', required: true }] }] }
      : { prompts: [{ name: 'greet' }, { name: 'thank' }], nextCursor: 'more' },
  )
}
