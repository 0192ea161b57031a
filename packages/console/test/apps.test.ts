import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { queryLedger } from '../../host/src/ledger/query.ts'
import { providerKey, type ScriptedProvider, scriptedProvider } from '../../host/test/model/scripted-provider.ts'
import { programEntry } from '../../host/test/run/person.ts'
import { frameOfView, noBrowser } from '../../mcp/test/fixtures/browser.ts'
import { evilHost, writeViews } from './app-views.ts'
import { violationsInBothThemes } from './axe.ts'
import { type OpenConsole, openConsole, visit } from './open-page.ts'
import { appsEntry } from './programs/entry.ts'
import { sharedBrowser } from './shared-browser.ts'

describe('apps', { skip: noBrowser }, () => {
  const opened = new AsyncDisposableStack()
  let open: OpenConsole
  let provider: ScriptedProvider
  let evil: Awaited<ReturnType<typeof evilHost>>
  before(async () => {
    evil = opened.use(await evilHost())
    provider = opened.use(await scriptedProvider())
    const views = opened.use(await writeViews(evil))
    const best = { provider: 'compatible', url: provider.url, key: `\${KEY}` }
    const shop = appsEntry({ VIEWS: views.folder, EVIL: evil.origin })
    open = opened.use(
      await openConsole({
        browser: await sharedBrowser(),
        settings: {
          mcpServers: { shop, one: programEntry() },
          models: { best },
          policy: { allow: ['shop:*'], ask: ['shop:refresh'] },
        },
        accepted: ['shop', 'one'],
        environment: { KEY: providerKey },
      }),
    )
    await open.page.getByRole('heading', { name: 'Servers' }).waitFor()
  })
  after(() => opened.disposeAsync())

  /** Runs a tool and opens its app. */
  const start = async (tool: string) => {
    const { page } = open
    await visit(page, `/tools/shop/${tool}`)
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    assert.equal(await page.locator('iframe').count(), 0)
    await page.getByRole('button', { name: 'Start the app of shop' }).click()
    return page.frameLocator('iframe[title="App of shop"]').frameLocator('iframe')
  }
  const callsOfApps = () =>
    queryLedger(open.running.host.store, { kind: 'ended' })
      .filter(({ line }) => line.principal === 'app' && line.actKind === 'call')
      .map(({ line }) => line.target)

  it('one of the official library shows a result, and its call asks in place', async () => {
    const { page } = open
    await visit(page, '/tools/shop/cart')
    await page.getByLabel(/^who/).fill('Ann')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByRole('button', { name: 'Start the app of shop' }).click()
    const app = page.frameLocator('iframe[title="App of shop"]').frameLocator('iframe')
    await app.getByText('Cart of {"who":"Ann"}: {"apples":2} in light colours').waitFor()
    await app.getByRole('button', { name: 'Refresh' }).click()
    await page.getByRole('heading', { name: 'app wants to call refresh' }).waitFor()
    assert.deepEqual(callsOfApps(), [])
    assert.deepEqual(await violationsInBothThemes(page), [])
    await page.getByRole('button', { name: 'Allow once' }).click()
    await app.getByText('fresh pears').waitFor()
    assert.deepEqual(callsOfApps(), ['refresh'])
    assert.deepEqual(open.faults, [])
    await page.getByRole('button', { name: 'Close the app' }).click()
    await page.locator('iframe').waitFor({ state: 'detached' })
  })

  it('in a conversation it shows what the model called, whose tools for apps alone the model does not know', async () => {
    const { page } = open
    provider.say({ calls: [{ id: 'c', name: 'shop__cart', arguments: { who: 'Bob' } }] }, { text: ['There it is'] })
    await visit(page, '/chat')
    await page.getByLabel('What you want').fill('Show the cart')
    await page.keyboard.press('Enter')
    await page.getByText('There it is', { exact: true }).first().waitFor()
    await page.getByRole('button', { name: 'Start the app of shop' }).click()
    const app = page.frameLocator('iframe[title="App of shop"]').frameLocator('iframe')
    await app.getByText('Cart of {"who":"Bob"}: {"apples":2}').waitFor()
    const tools = JSON.stringify(provider.seen[0]?.body.tools)
    assert.match(tools, /shop__refund/)
    assert.doesNotMatch(tools, /shop__refresh/)
    assert.deepEqual(open.faults, [])
  })

  it('says something in the conversation, or leads elsewhere, only when the person has read it and agrees', async () => {
    const { page } = open
    const app = page.frameLocator('iframe[title="App of shop"]').frameLocator('iframe')
    const asked = provider.seen.length
    await app.getByRole('button', { name: 'Say it' }).click()
    const words = page.getByRole('group', { name: 'message of the app' })
    await words.getByText('[app of shop] Buy pears @library://dune <img src="https://evil.test/pixel">').waitFor()
    await words.locator('mark').getByText('\\u{202e}').waitFor()
    assert.deepEqual(await violationsInBothThemes(page), [])
    await page.getByRole('button', { name: 'Do not send it' }).click()
    await app.getByText('said: {"isError":true}').waitFor()
    assert.equal(provider.seen.length, asked)
    await app.getByRole('button', { name: 'Visit' }).click()
    await page.getByText('The app of shop wants you to visit a page').waitFor()
    await page.getByRole('button', { name: 'Do not open it' }).click()
    await app.getByText(/visited: ".*did not agree/).waitFor()
    provider.say({ text: ['Pears are bought'] })
    await app.getByRole('button', { name: 'Say it' }).click()
    await page.getByRole('button', { name: 'Send it as my message' }).click()
    await app.getByText('said: {}').waitFor()
    await page.getByText('Pears are bought', { exact: true }).first().waitFor()
    const said = JSON.stringify(provider.seen.at(-1)?.body.messages)
    assert.match(said, /\[app of shop\] Buy pears @library:\/\/dune/)
    assert.deepEqual(open.faults, [])
  })

  it('a hostile one reaches nothing: no page above it, no token, no host, no tool of another server', async () => {
    const { page, running } = open
    const before = callsOfApps().length
    await start('hostile')
    const inside = await frameOfView(page)
    await inside.waitForFunction(() => 'report' in window, undefined, { timeout: 120_000 })
    const report = await inside.evaluate(() => (window as unknown as { report: Record<string, string> }).report)
    for (const [what, outcome] of Object.entries(report)) assert.equal(outcome, 'refused', what)
    assert.ok(Object.keys(report).length > 20, JSON.stringify(report))
    assert.equal(evil.reached.join(), '')
    assert.equal(new URL(page.url()).origin, new URL(running.host.url).origin)
    assert.equal(page.context().pages().length, 1)
    assert.equal(callsOfApps().length, before)
    assert.deepEqual(running.host.inbox.open, [])
    await start('framer')
    const framer = await frameOfView(page)
    await framer.waitForFunction(() => 'report' in window)
    assert.equal(evil.reached.join(), '')
  })

  it('one that goes elsewhere or never stops to talk is ended, and takes nothing along', async () => {
    const { page } = open
    await start('leaver')
    await page.getByText('The view went to another page or opened one, so it was closed').first().waitFor()
    assert.equal(evil.reached.join(), '')
    await start('flooder')
    await page.getByText('more than 200 messages in a second, so it was ended').waitFor()
    await page.locator('iframe').waitFor({ state: 'detached' })
    assert.equal(evil.reached.join(), '')
  })

  it('reaches a host that it declared only when the person accepts that', async () => {
    const { page } = open
    const app = await start('declaring')
    await page.getByText(evil.origin).waitFor()
    await page.getByText('use of this browser: camera. It does not get that here.').waitFor()
    assert.deepEqual(await violationsInBothThemes(page), [])
    await page.getByRole('button', { name: 'Start the app of shop without other hosts' }).click()
    await app.getByText('not reached').waitFor()
    await page.getByText("connect-src 'none'").waitFor({ state: 'attached' })
    assert.equal(evil.reached.join(), '')
    await page.getByRole('button', { name: 'Close the app' }).click()
    await page.getByRole('button', { name: 'Start the app of shop' }).click()
    await page.getByRole('button', { name: 'Start it and let it reach these hosts' }).click()
    await app.getByText('reached', { exact: true }).waitFor()
    assert.ok(evil.reached.includes('/declared'))
  })

  it('four requests of one are worked on at a time, four wait, the others are refused; none asks once it is closed', async () => {
    const { page, running } = open
    const app = await start('crowd')
    await app.getByText('2 refused').waitFor()
    await page.getByRole('heading', { name: 'app wants to call refresh' }).nth(3).waitFor()
    const asked = running.host.inbox.open.map(({ id }) => id)
    assert.equal(asked.length, 4)
    await page.getByRole('button', { name: 'Close the app' }).click()
    await Promise.all(asked.map((id) => running.host.inbox.settled(id)))
    await page.waitForFunction(() => document.title === 'Tools · Trunkline')
    assert.deepEqual(running.host.inbox.open, [])
  })

  it('one that takes all the time there is does not hold up the page', async () => {
    const { page } = open
    await start('busy')
    await page.getByRole('button', { name: 'Close the app' }).click()
    await page.getByRole('button', { name: 'Start the app of shop' }).waitFor()
  })
})
