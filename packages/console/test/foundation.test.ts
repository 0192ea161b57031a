import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { until } from '../../../tools/lib/until.ts'
import { deferred } from '../../host/src/relay/deferred.ts'
import { programEntry } from '../../host/test/run/person.ts'
import { noBrowser } from '../../mcp/test/fixtures/browser.ts'
import { violationsInBothThemes } from './axe.ts'
import { builtConsole } from './built-console.ts'
import { newPage, type OpenConsole, openConsole, titled } from './open-page.ts'
import { sharedBrowser } from './shared-browser.ts'

/** Limit of a first visit, compressed. */
const maxFirstScript = 150 * 1024
const maxFirstFiles = 12

/** A page of another program on this machine. */
async function foreignPage() {
  const server = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end('<title>Other</title>'),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, [Symbol.asyncDispose]: async () => void server.close() }
}

interface Chunk {
  readonly file: string
  readonly isEntry?: boolean
  readonly imports?: readonly string[]
  readonly dynamicImports?: readonly string[]
}

describe('the built console', () => {
  it('loads at most 150 KB of script, compressed, in at most twelve files before the first screen', async () => {
    const folder = await builtConsole()
    const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as { [name: string]: Chunk }
    const loaded = new Set<string>()
    const load = (name: string): void => {
      const chunk = manifest[name]
      if (!chunk || loaded.has(chunk.file)) return
      loaded.add(chunk.file)
      for (const one of chunk.imports ?? []) load(one)
    }
    load('index.html')
    load('src/screens/servers/servers-screen.tsx')
    const bytes = [...loaded].reduce((sum, file) => sum + gzipSync(readFileSync(join(folder, file))).length, 0)
    assert.ok(loaded.size > 1 && loaded.size <= maxFirstFiles, `${loaded.size} files`)
    assert.ok(bytes <= maxFirstScript, `${bytes} bytes in ${[...loaded].join(', ')}`)
  })
})

describe('the console', { skip: noBrowser }, () => {
  let open: OpenConsole
  before(async () => {
    open = await openConsole({
      browser: await sharedBrowser(),
      settings: { mcpServers: { one: programEntry() } },
      accepted: ['one'],
    })
  })
  after(() => open[Symbol.asyncDispose]())

  it('opens with a code from the terminal, which is gone from the address at once and keeps nothing but this tab', async () => {
    const { page, running } = open
    await page.getByRole('heading', { name: 'Servers' }).waitFor()
    assert.equal(new URL(page.url()).hash, '')
    const kept = await page.evaluate(() => Object.values(sessionStorage) as string[])
    assert.ok(kept.some((secret) => running.api.pages.knows(secret)))
    assert.deepEqual(await page.context().cookies(), [])
    assert.equal(await page.evaluate(() => Object.keys(localStorage).length), 0)
  })

  it('without a code it says what to do, and takes one that is typed', async () => {
    const { running, browser, faults } = open
    const page = await newPage(browser, running, [])
    await page.goto(new URL('/inbox', running.host.url).href)
    await page.getByRole('heading', { name: 'This page does not know you yet' }).waitFor()
    assert.deepEqual(await violationsInBothThemes(page), [])
    await page.getByLabel(/A code/).fill(running.api.pages.makeCode().code)
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    await page.context().close()
    assert.deepEqual(faults, [])
  })

  it('a tab opened beside a signed-in one is signed in by it; a page of another origin is not', async () => {
    const { page, running } = open
    await using foreign = await foreignPage()
    const other = await page.context().newPage()
    await other.goto(foreign.url)
    // it asks as a new tab does, and listens to what the others say
    await other.evaluate(() => {
      const channel = new BroadcastChannel('trunkline-sign-in')
      const heard: unknown[] = []
      Object.assign(globalThis, { heard })
      channel.onmessage = ({ data }) => heard.push(data)
      channel.postMessage({ kind: 'ask', from: 'foreign' })
    })
    const tab = await page.context().newPage()
    const addresses: string[] = []
    tab.on('request', (request) => addresses.push(request.url()))
    await tab.goto(new URL('/inbox', running.host.url).href)
    await tab.getByRole('heading', { name: 'Inbox' }).waitFor()
    const [mine, its] = await Promise.all(
      [page, tab].map((one) => one.evaluate(() => sessionStorage.getItem('trunkline-secret') ?? '')),
    )
    assert.ok(its !== mine && running.api.pages.knows(its ?? ''), 'it has a secret of its own')
    const tells = addresses.filter((address) => address.includes('code=') || address.includes(its ?? ''))
    assert.deepEqual(tells, [], 'no address holds a code or a secret')
    assert.deepEqual(await other.evaluate(() => (globalThis as unknown as { heard: unknown[] }).heard), [])
    const vouch = new URL('/api/codes/vouch', running.host.url).href
    const asked = await other.evaluate((url) => fetch(url, { method: 'POST' }).then(String, () => 'refused'), vouch)
    assert.equal(asked, 'refused')
    await Promise.all([tab.close(), other.close()])
  })

  it('is served with a policy that lets nothing run but its own files, and for ever what has a hash in its name', async () => {
    const { running } = open
    const page = await fetch(new URL('/servers', running.host.url), { headers: { accept: 'text/html' } })
    const policy = page.headers.get('content-security-policy') ?? ''
    assert.match(policy, /default-src 'none'/)
    assert.doesNotMatch(policy, /unsafe|\*/)
    assert.equal(page.headers.get('x-content-type-options'), 'nosniff')
    assert.equal(page.headers.get('referrer-policy'), 'no-referrer')
    assert.equal(page.headers.get('cache-control'), 'no-store')
    const html = await page.text()
    assert.doesNotMatch(html, /<script(?![^>]*\bsrc=)|<style|\son\w+=/)
    const [, sheet = ''] = /rel="stylesheet"[^>]* href="([^"]+)"/.exec(html) ?? []
    const asset = await fetch(new URL(sheet, running.host.url))
    assert.equal(asset.headers.get('content-encoding'), 'gzip')
    assert.match(asset.headers.get('cache-control') ?? '', /immutable/)
    for (const path of ['/.well-known/oauth-protected-resource', '/mcp/nothing', '/assets/none.js']) {
      assert.equal((await fetch(new URL(path, running.host.url))).status, 404, path)
    }
  })

  it('Ctrl-K finds a server and goes there, by keyboard alone', async () => {
    const { page } = open
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('one server')
    await page.getByRole('option').first().waitFor()
    assert.deepEqual(await violationsInBothThemes(page), [])
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'one', exact: true }).waitFor()
    assert.match(page.url(), /\/servers\/one$/)
  })

  it('says when the host is gone, also in place of a screen, comes back by itself, and shows what came meanwhile', async () => {
    await using own = await openConsole({
      browser: await sharedBrowser(),
      settings: { mcpServers: { one: programEntry() } },
      path: '/inbox',
    })
    const { page, running, ann } = own
    await page.getByRole('link', { name: /Start one/ }).waitFor()
    const { port } = new URL(running.host.url)
    const asked = running.host.inbox.open.map(({ id }) => id)
    await running.close()
    await page.getByText('The host does not answer').waitFor()
    // a screen that was never opened has to be loaded
    await page.getByRole('link', { name: 'Policy', exact: true }).click()
    await page.getByText('This screen could not be loaded: the host does not answer. Reload once it is back.').waitFor()
    const reload = page.getByRole('button', { name: 'Reload' })
    assert.ok(await reload.isDisabled(), 'the browser would show its own error')
    ann.configure({ mcpServers: { one: programEntry(), two: programEntry() } })
    await using again = await ann.run({ console: await builtConsole(), flags: { 'host.port': Number(port) } })
    await page.getByText('This screen could not be loaded.').waitFor()
    await reload.click()
    await page.getByRole('heading', { level: 1, name: 'Policy' }).waitFor()
    await page.getByRole('link', { name: /^Inbox/ }).click()
    await page.getByRole('link', { name: /Start two/ }).waitFor()
    await page.getByText('The host does not answer').waitFor({ state: 'detached' })
    await titled(page, '(2) Inbox · Trunkline')
    // a question keeps its address and its age over a restart
    assert.deepEqual(
      again.host.inbox.open.slice(0, 1).map(({ id }) => id),
      asked,
    )
  })

  it('shows what happened between its first answers and the opening of the events', async () => {
    await using own = await openConsole({
      browser: await sharedBrowser(),
      settings: { mcpServers: { one: programEntry() } },
      accepted: ['one'],
      path: '/servers',
    })
    const { page, running, ann } = own
    const happened = deferred<void>()
    await page.route('**/api/events', async (route) => {
      await happened.promise
      await route.continue()
    })
    await page.reload()
    await page.getByRole('link', { name: 'one', exact: true }).waitFor()
    ann.configure({ mcpServers: { one: programEntry(), two: programEntry() } })
    await until(() => running.host.specs.length === 2, 'the second server')
    await running.host.accept('two')
    happened.resolve()
    await page.getByRole('link', { name: 'two', exact: true }).waitFor()
  })

  it('has no fault and no barrier in either theme', async () => {
    const { page, faults } = open
    assert.deepEqual(await violationsInBothThemes(page), [])
    assert.deepEqual(faults, [])
  })
})
