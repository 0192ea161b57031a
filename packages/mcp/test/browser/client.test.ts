/** The client in a web page: bundled as an application would, it speaks every revision and transport that pages can. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { server } from '@trunkline/mcp'
import { serveHttp } from '@trunkline/mcp/node'
import { revisions } from '@trunkline/mcp/testing'
import { rolldown } from 'rolldown'
import { launchBrowser, noBrowser as skip } from '../fixtures/browser.ts'
import { quiet } from '../fixtures/quiet.ts'

async function bundledClient(): Promise<string> {
  const bundle = await rolldown({ input: join(import.meta.dirname, '../../src/index.ts'), platform: 'browser' })
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false })
  await bundle.close()
  return output[0].code
}

/** A site that serves a page and the client for it. */
async function site(code: string) {
  const http = createServer(({ url }, response) => {
    response.setHeader('content-type', url === '/client.js' ? 'text/javascript' : 'text/html')
    response.end(url === '/client.js' ? code : '<!doctype html><p>Hello')
  })
  await once(http.listen(0, '127.0.0.1'), 'listening')
  const origin = `http://app.test:${(http.address() as AddressInfo).port}`
  return {
    origin,
    async [Symbol.asyncDispose]() {
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
}

const definition = server({ name: 'shop', ...quiet })
  .resource('shop://stock', {}, () => 'full')
  .tool('count', {}, async (_, ctx) => {
    await ctx.progress(1, 2)
    return 'counted'
  })
  .tool('restock', {}, () => {
    definition.resources.updated('shop://stock')
    return 'done'
  })

interface Visit {
  readonly url: string
  readonly revision: string
}

/** Runs in the page, so that it may refer to nothing outside it. */
async function visit({ url, revision }: Visit) {
  const { connect }: typeof import('@trunkline/mcp') = await import('/client.js' as string)
  const mcp = await connect(url as 'http:', { revisions: [revision] })
  const steps: number[] = []
  const { content } = await mcp.tools.call('count', {}, { onProgress: ({ progress }) => void steps.push(progress) })
  const changed = new Promise((resolve) => {
    void mcp.resources.watch('shop://stock', resolve).then(() => mcp.tools.call('restock', {}))
  })
  const outcome = { content, steps, revision: mcp.revision, change: await changed }
  await mcp.close()
  return outcome
}

test('connect: a page of an allowed origin speaks every revision', { skip }, async () => {
  await using home = await site(await bundledClient())
  await using listening = await serveHttp(definition, { origins: [home.origin], cors: {}, sse: true, websocket: true })
  const browser = await launchBrowser()
  try {
    const page = await browser.newPage()
    await page.goto(home.origin)
    const ways = [
      ...revisions.map((revision) => ({ url: listening.url, revision })),
      ...revisions.map((revision) => ({ url: listening.url.replace('http', 'ws'), revision })),
    ]
    for (const { url, revision } of ways) {
      const content = [{ type: 'text', text: 'counted' }]
      const change = 'shop://stock'
      assert.deepEqual(await page.evaluate(visit, { url, revision }), { content, steps: [1], revision, change })
    }
  } finally {
    await browser.close()
  }
})
