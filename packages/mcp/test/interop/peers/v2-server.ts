/** The café of these tests, served by version 2 of the official SDK. */
import { completable, inputRequired, inputResponse, McpServer, ResourceTemplate } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'
import { gate } from '../../gate.ts'

const finished = gate()
const aborted = gate<string>()
const said = (text: string) => ({ content: [{ type: 'text' as const, text }] })
const user = (text: string) => ({ messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] })

// it wants a new server for each way of opening the conversation
serveStdio(({ era }) => {
  const cafe = new McpServer(
    { name: 'cafe', version: '1.0.0' },
    { instructions: 'Be polite', capabilities: { logging: {}, resources: { subscribe: true, listChanged: true } } },
  )
  offerTools(cafe)
  offerQuestions(cafe)
  offerResources(cafe)
  offerPrompts(cafe)
  offerUpdates(cafe, era)
  return cafe
})

function offerTools(cafe: McpServer): void {
  const { server } = cafe
  cafe.registerTool(
    'add',
    { inputSchema: z.object({ a: z.number(), b: z.number() }), outputSchema: z.object({ sum: z.number() }) },
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
  cafe.registerTool('steps', {}, async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken ?? 'none'
    for (const [at, message] of ['grinding', 'pressing', 'pouring'].entries()) {
      const params = { progressToken, progress: at + 1, total: 3, message }
      await mcpReq.notify({ method: 'notifications/progress', params })
    }
    await finished.promise
    return said('served')
  })
  cafe.registerTool('finish', {}, () => {
    finished.open()
    return said('finished')
  })
  cafe.registerTool('hang', {}, async ({ mcpReq }) => {
    mcpReq.signal.addEventListener('abort', () => aborted.open('aborted'))
    const params = { progressToken: mcpReq._meta?.progressToken ?? 'none', progress: 1 }
    await mcpReq.notify({ method: 'notifications/progress', params })
    return new Promise(() => {})
  })
  cafe.registerTool('aborted', {}, async () => said(await aborted.promise))
  cafe.registerTool('ping-back', {}, async () => said(JSON.stringify(await server.ping())))
  cafe.registerTool('log', {}, async ({ mcpReq }) => {
    await mcpReq.log('debug', 'too quiet to hear')
    await mcpReq.log('warning', 'low on milk', 'kitchen')
    return said('logged')
  })
  cafe.registerTool('grow', {}, () => {
    cafe.registerTool('grown', {}, () => said('new'))
    return said('grown')
  })
}

// where the client has to be asked, the tool runs again with the answers
function offerQuestions(cafe: McpServer): void {
  cafe.registerTool('ask', {}, ({ mcpReq }) => {
    const answer = inputResponse(mcpReq.inputResponses, 'milk')
    if (answer.kind === 'elicit') return said(answer.content?.milk ? 'with milk' : 'black')
    const question = { message: 'With milk?', requestedSchema: z.object({ milk: z.boolean() }) }
    return inputRequired({ inputRequests: { milk: inputRequired.elicit(question) } })
  })
  cafe.registerTool('visit', {}, ({ mcpReq }) => {
    const answer = inputResponse(mcpReq.inputResponses, 'pay')
    if (answer.kind === 'elicit') return said(answer.action === 'accept' ? 'paid' : answer.action)
    const page = { message: 'Pay here', url: 'https://cafe.example/pay' }
    return inputRequired({ inputRequests: { pay: inputRequired.elicitUrl(page) } })
  })
  cafe.registerTool('think', {}, ({ mcpReq }) => {
    const answer = inputResponse(mcpReq.inputResponses, 'cake')
    if (answer.kind === 'sampling') return said(JSON.stringify(answer.result.content))
    const question = { ...user('a cake?'), maxTokens: 10 }
    return inputRequired({ inputRequests: { cake: inputRequired.createMessage(question) } })
  })
  cafe.registerTool('where', {}, ({ mcpReq }) => {
    const answer = inputResponse(mcpReq.inputResponses, 'roots')
    if (answer.kind === 'roots') return said(answer.roots.map(({ uri }) => uri).join())
    return inputRequired({ inputRequests: { roots: inputRequired.listRoots() } })
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

// this SDK has no subscriptions of its own for clients that shook hands
function offerUpdates(cafe: McpServer, era: 'legacy' | 'modern'): void {
  const watched = new Set<string>()
  cafe.server.setRequestHandler('resources/subscribe', ({ params }) => {
    watched.add(params.uri)
    return {}
  })
  cafe.server.setRequestHandler('resources/unsubscribe', ({ params }) => {
    watched.delete(params.uri)
    return {}
  })
  cafe.registerTool('touch', {}, async () => {
    const uri = 'cafe://menu'
    if (era === 'modern' || watched.has(uri)) await cafe.server.sendResourceUpdated({ uri })
    return said('touched')
  })
}

function offerPrompts(cafe: McpServer): void {
  const moods = (start = '') => ['happy', 'hungry', 'sad'].filter((mood) => mood.startsWith(start))
  cafe.registerPrompt('greet', {}, () => user('Good morning'))
  cafe.registerPrompt('thank', {}, () => user('Thank you'))
  cafe.registerPrompt('recommend', { argsSchema: z.object({ mood: completable(z.string(), moods) }) }, ({ mood }) =>
    user(`What suits somebody who is ${mood}?`),
  )
  // nor has it pages
  cafe.server.setRequestHandler('prompts/list', ({ params }) =>
    params?.cursor === 'more'
      ? { prompts: [{ name: 'recommend', arguments: [{ name: 'mood', required: true }] }] }
      : { prompts: [{ name: 'greet' }, { name: 'thank' }], nextCursor: 'more' },
  )
}
