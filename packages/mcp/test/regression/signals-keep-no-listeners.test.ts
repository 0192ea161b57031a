import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { test } from 'node:test'
import { type Client, connect, type Server } from '@trunkline/mcp'
import { serveHttp } from '@trunkline/mcp/node'
import { revisions } from '@trunkline/mcp/testing'
import { fresh } from './fresh.ts'

const word = { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] } as const

const definition = () =>
  fresh()
    .tool('echo', {}, () => 'echo')
    .tool('fail', {}, () => {
      throw new Error('no')
    })
    .tool('ask', {}, async (_, ctx) => `${(await ctx.elicit('Which?', word, { key: 'word' })).word}`)
    .resource('test:news', {}, () => 'news')

const elicitation = () => ({ action: 'accept', content: { word: 'any' } }) as const

/** Everything that a caller can give a signal to. */
async function exercise(client: Client, signal: AbortSignal): Promise<void> {
  for (let time = 0; time < 3; time++) {
    await client.tools.call('echo', {}, { signal })
    await client.tools.call('fail', {}, { signal })
    await client.tools.call('ask', {}, { signal })
    await assert.rejects(client.tools.call('unknown', {}, { signal }))
    await client.ping({ signal })
  }
}

const transports: {
  readonly [name: string]: (app: Server) => Promise<{ target: URL | Server; close(): Promise<void> }>
} = {
  memory: async (app) => ({ target: app, close: async () => {} }),
  http: async (app) => {
    const listening = await serveHttp(app)
    return { target: new URL(listening.url), close: () => listening.close() }
  },
  websocket: async (app) => {
    const listening = await serveHttp(app, { websocket: true })
    return { target: new URL(listening.url.replace('http', 'ws')), close: () => listening.close() }
  },
}

for (const [name, open] of Object.entries(transports)) {
  for (const revision of revisions.filter((one) => name !== 'http' || one !== '2024-11-05')) {
    test(`a signal that outlives its calls remembers none of them, over ${name} in ${revision}`, async () => {
      const { signal } = new AbortController()
      const { target, close } = await open(definition() as Server)
      const client: Client = await connect(target as URL, { revisions: [revision], elicitation, signal, cache: false })
      assert.equal(getEventListeners(signal, 'abort').length, 0, 'after connecting')
      await exercise(client, signal)
      assert.equal(getEventListeners(signal, 'abort').length, 0, 'after the calls')
      const waiting = client.tools.call('ask', {}, { signal })
      assert.equal(getEventListeners(signal, 'abort').length, 1, 'while a call is open')
      await waiting
      assert.equal(getEventListeners(signal, 'abort').length, 0)
      await client.close()
      await close()
    })
  }
}
