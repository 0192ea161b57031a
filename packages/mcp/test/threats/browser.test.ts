/** Web pages in a real browser: by DNS rebinding or from another site they reach nothing, as an allowed origin all. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { server } from '@trunkline/mcp'
import { serveHttp } from '@trunkline/mcp/node'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser, noBrowser as skip } from '../fixtures/browser.ts'
import { quiet } from '../fixtures/quiet.ts'
import { counting } from './counting.ts'
import { jsonHeaders, opening, sessionCall, toolCall, within } from './messages.ts'
import * as pages from './pages.ts'

let browser: Browser
// a foreign site, on this machine only because there is no other
const site = createServer((_, response) =>
  response.setHeader('content-type', 'text/html').end('<!doctype html><p>Hello'),
)
const siteAt = (host: string): string => `http://${host}:${(site.address() as AddressInfo).port}`

before(async () => {
  if (skip) return
  await once(site.listen(0, '127.0.0.1'), 'listening')
  browser = await launchBrowser()
})

after(async () => {
  if (skip) return
  await browser.close()
  site.closeAllConnections()
  await new Promise((resolve) => site.close(resolve))
})

/** A page that was loaded from an address, whatever came from there. */
async function visit(url: string) {
  const page = await browser.newPage()
  await page.goto(url)
  return page
}

test('serveHttp: a page whose name was turned to this machine reaches nothing', { skip }, async () => {
  const counted = counting()
  await using listening = await serveHttp(counted.definition)
  const { port } = new URL(listening.url)
  // after rebinding, the server is where the page came from: no other origin, and no preflight
  const rebound = await visit(`http://evil.test:${port}/`)
  for (const letter of [toolCall('count'), opening('2025-11-25')]) {
    assert.deepEqual((await rebound.evaluate(pages.post, { url: '/mcp', ...letter })).status, 403)
  }
  assert.equal(await rebound.evaluate(pages.listen, '/mcp'), 'refused')
  assert.equal(counted.reached, 0)
  const honest = await visit(`http://localhost:${port}/`)
  assert.equal((await honest.evaluate(pages.post, { url: '/mcp', ...toolCall('count') })).status, 200)
  assert.equal(counted.reached, 1)
})

/** All that a page can do to a server without asking. */
async function attack(page: Page, url: string): Promise<void> {
  const { body } = toolCall('count')
  await page.evaluate(pages.postBlindly, { url, body })
  await page.evaluate(pages.beacon, { url, body })
  await page.evaluate(pages.submitForm, { url, body })
  await page.evaluate(pages.postFromSandbox, { url, body })
}

test('serveHttp: a page of another site reaches nothing, by any means a page has', { skip }, async () => {
  const counted = counting()
  await using listening = await serveHttp(counted.definition, { sse: true, websocket: true })
  const { port } = new URL(listening.url)
  const page = await visit(siteAt('evil.test'))
  const { headers, body } = toolCall('count')
  for (const host of ['127.0.0.1', 'localhost']) {
    const url = `http://${host}:${port}/mcp`
    const plain = { 'content-type': 'text/plain' }
    assert.equal((await page.evaluate(pages.post, { url, headers, body })).status, 'failed')
    assert.equal((await page.evaluate(pages.post, { url, headers: plain, body })).status, 'failed')
    await attack(page, url)
    assert.equal(await page.evaluate(pages.listen, url), 'refused')
    assert.equal(await page.evaluate(pages.listen, url.replace('/mcp', '/sse')), 'refused')
    assert.equal(await page.evaluate(pages.openSocket, url.replace('http', 'ws')), 'refused')
  }
  assert.equal(counted.reached, 0)
  assert.deepEqual(counted.definition.live, { connections: 0, watchers: 0 })
})

test('the browser: all of that arrives at a server that does not look', { skip }, async () => {
  const arrived: string[] = []
  const careless = createServer((request, response) => {
    arrived.push(`${request.headers.origin} ${request.headers['content-type']?.split(';', 1)}`)
    response.end()
  })
  await once(careless.listen(0, '127.0.0.1'), 'listening')
  await attack(await visit(siteAt('evil.test')), `http://127.0.0.1:${(careless.address() as AddressInfo).port}/mcp`)
  careless.closeAllConnections()
  careless.close()
  const evil = siteAt('evil.test')
  for (const seen of [`${evil} text/plain`, `${evil} application/x-www-form-urlencoded`, 'null text/plain']) {
    assert.ok(arrived.includes(seen), `${seen} is not among ${arrived}`)
  }
})

const regional = {
  type: 'object',
  properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
  required: ['region'],
} as const

test('serveHttp: a page of an allowed origin can do all that a client does', { skip }, async () => {
  const definition = server({ name: 'regional', ...quiet }).tool('where', { input: regional }, ({ region }) => region)
  await using listening = await serveHttp(definition, { origins: [siteAt('app.test')], cors: {} })
  const { url } = listening
  const page = await visit(siteAt('app.test'))
  const { headers, body } = toolCall('where', { region: 'north' })
  const alone = await page.evaluate(pages.post, { url, headers: { ...headers, 'mcp-param-region': 'north' }, body })
  assert.equal(JSON.parse(alone.text).result.content[0].text, 'north')
  const { sessionId } = await page.evaluate(pages.post, { url, ...opening('2025-11-25') })
  const session = { 'mcp-session-id': sessionId ?? '', 'mcp-protocol-version': '2025-11-25' }
  assert.equal(
    (await page.evaluate(pages.post, { url, ...within(session, { method: 'notifications/initialized' }) })).status,
    202,
  )
  const called = await page.evaluate(pages.post, { url, ...sessionCall(session, 'where', { region: 'south' }) })
  assert.equal(JSON.parse(called.text).result.content[0].text, 'south')
  assert.match(
    await page.evaluate(pages.firstEvent, { url, headers: { ...session, accept: 'text/event-stream' } }),
    /^id: /,
  )
  const refused = await page.evaluate(pages.post, { url, headers: jsonHeaders, body: '{' })
  assert.deepEqual([refused.status, JSON.parse(refused.text).error.code], [400, -32700])
  assert.equal((await page.evaluate(pages.end, { url, headers: session })).status, 200)
  const other = await visit(siteAt('evil.test'))
  assert.equal((await other.evaluate(pages.post, { url, headers, body })).status, 'failed')
})
