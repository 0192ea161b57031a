import { completable, inputRequired, inputResponse, McpServer, ResourceTemplate } from '@modelcontextprotocol/server'
import { z } from 'zod'
import * as fare from './fare.ts'
import type { Kitchen } from './kitchen.ts'
import { reply, user } from './words.ts'

/** The surroundings of a café. */
export interface Place {
  readonly kitchen: Kitchen
  /** Adds a tool, and tells the clients that listen. */
  grow(cafe: McpServer): void
  /** Tells the clients that watch the menu of its change. */
  touch(cafe: McpServer): Promise<void>
}

/** A new café of version 2 of the official SDK, for one session or one request. */
export function v2Cafe(place: Place): McpServer {
  const cafe = new McpServer(fare.info, fare.options)
  offerContent(cafe)
  offerWork(cafe, place.kitchen)
  offerChanges(cafe, place)
  offerQuestions(cafe)
  offerResources(cafe)
  offerPrompts(cafe)
  return cafe
}

/** Adds the tool that grows. */
export function offerGrown(cafe: McpServer): void {
  cafe.registerTool('grown', {}, () => reply('new'))
}

function offerContent(cafe: McpServer): void {
  cafe.registerTool(
    'add',
    { inputSchema: z.object({ a: z.number(), b: z.number() }), outputSchema: z.object({ sum: z.number() }) },
    fare.add,
  )
  cafe.registerTool('fail', {}, () => {
    throw new Error('the machine is broken')
  })
  cafe.registerTool('show', {}, fare.show)
  cafe.registerTool('hear', {}, fare.hear)
}

function offerWork(cafe: McpServer, { finished, aborted }: Kitchen): void {
  cafe.registerTool('steps', {}, async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken ?? 'none'
    for (const step of fare.steps) {
      await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, ...step } })
    }
    await finished.promise
    return reply('served')
  })
  cafe.registerTool('finish', {}, () => {
    finished.open()
    return reply('finished')
  })
  cafe.registerTool('hang', {}, async ({ mcpReq }) => {
    mcpReq.signal.addEventListener('abort', () => aborted.open('aborted'))
    const params = { progressToken: mcpReq._meta?.progressToken ?? 'none', progress: 1 }
    await mcpReq.notify({ method: 'notifications/progress', params })
    return new Promise(() => {})
  })
  cafe.registerTool('aborted', {}, async () => reply(await aborted.promise))
  cafe.registerTool('ping-back', {}, async () => reply(JSON.stringify(await cafe.server.ping())))
  cafe.registerTool('log', {}, async ({ mcpReq }) => {
    await mcpReq.log('debug', 'too quiet to hear')
    await mcpReq.log('warning', 'low on milk', 'kitchen')
    return reply('logged')
  })
}

function offerChanges(cafe: McpServer, place: Place): void {
  cafe.registerTool('touch', {}, async () => {
    await place.touch(cafe)
    return reply('touched')
  })
  cafe.registerTool('grow', {}, () => {
    place.grow(cafe)
    return reply('grown')
  })
}

// where the client has to be asked, the tool runs again with the answers
function offerQuestions(cafe: McpServer): void {
  cafe.registerTool('ask', {}, ({ mcpReq }) => {
    const answer = inputResponse(mcpReq.inputResponses, 'milk')
    if (answer.kind === 'elicit') return reply(answer.content?.milk ? 'with milk' : 'black')
    const question = { message: 'With milk?', requestedSchema: z.object({ milk: z.boolean() }) }
    return inputRequired({ inputRequests: { milk: inputRequired.elicit(question) } })
  })
  cafe.registerTool('visit', {}, ({ mcpReq }) => {
    const answer = inputResponse(mcpReq.inputResponses, 'pay')
    if (answer.kind === 'elicit') return reply(answer.action === 'accept' ? 'paid' : answer.action)
    const page = { message: 'Pay here', url: 'https://cafe.example/pay' }
    return inputRequired({ inputRequests: { pay: inputRequired.elicitUrl(page) } })
  })
  cafe.registerTool('think', {}, ({ mcpReq }) => {
    const answer = inputResponse(mcpReq.inputResponses, 'cake')
    if (answer.kind === 'sampling') return reply(JSON.stringify(answer.result.content))
    const question = { ...user('a cake?'), maxTokens: 10 }
    return inputRequired({ inputRequests: { cake: inputRequired.createMessage(question) } })
  })
  cafe.registerTool('where', {}, ({ mcpReq }) => {
    const answer = inputResponse(mcpReq.inputResponses, 'roots')
    if (answer.kind === 'roots') return reply(answer.roots.map(({ uri }) => uri).join())
    return inputRequired({ inputRequests: { roots: inputRequired.listRoots() } })
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
  const argsSchema = z.object({ mood: completable(z.string(), fare.moods) })
  cafe.registerPrompt('recommend', { argsSchema }, fare.recommend)
  cafe.server.setRequestHandler('prompts/list', ({ params }) => fare.promptPage(params?.cursor))
}
