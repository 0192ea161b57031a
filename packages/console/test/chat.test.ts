import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { providerKey, type ScriptedProvider, scriptedProvider } from '../../host/test/model/scripted-provider.ts'
import { programEntry } from '../../host/test/run/person.ts'
import { noBrowser } from '../../mcp/test/fixtures/browser.ts'
import { violationsInBothThemes } from './axe.ts'
import { type OpenConsole, openConsole } from './open-page.ts'
import { sharedBrowser } from './shared-browser.ts'

const call = (id: string, name: string, text: string) => ({ id, name, arguments: { text } })

describe('chat', { skip: noBrowser }, () => {
  let open: OpenConsole
  let provider: ScriptedProvider
  const mcpServers = { one: programEntry(), library: programEntry('library') }
  /** Says something once it can be sent: the words of an answer are seen before it has ended. */
  const say = async (text: string) => {
    await open.page.getByLabel('Message', { exact: true }).fill(text)
    await open.page.locator('button:enabled', { hasText: /^Send$/ }).waitFor()
    await open.page.keyboard.press('Enter')
  }
  before(async () => {
    provider = await scriptedProvider()
    const best = { provider: 'compatible', url: provider.url, key: `\${KEY}`, inputPrice: 1, outputPrice: 2 }
    open = await openConsole({
      browser: await sharedBrowser(),
      settings: { mcpServers, models: { best } },
      accepted: ['one', 'library'],
      environment: { KEY: providerKey },
      path: '/chat',
    })
    await open.running.host.catalogue.classify('one', 'echo', 'reads')
  })
  after(async () => {
    await open[Symbol.asyncDispose]()
    await provider[Symbol.asyncDispose]()
  })

  it('uses a prompt and a resource, both completed by keyboard alone', async () => {
    const { page } = open
    provider.say({ text: ['# A bold review\n', 'It is **sandy**. <img src=x onerror="window.pwned=1">'] })
    const field = page.getByLabel('What you want')
    await field.click()
    await page.keyboard.type('/lib')
    await page.getByRole('option', { name: /library__review Reviews a book/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('option', { name: /mood=/ }).waitFor()
    await page.keyboard.press('Tab')
    await page.getByRole('option', { name: 'mood=bold' }).waitFor()
    assert.deepEqual(await violationsInBothThemes(page), [])
    await page.keyboard.type('b')
    await page.getByRole('option', { name: 'mood=calm' }).waitFor({ state: 'detached' })
    await page.getByRole('option', { name: 'mood=bold' }).waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.type('of @dun')
    await page.getByRole('option', { name: /library:\/\/dune/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('list', { name: 'Attached resources' }).getByText('library://dune').waitFor()
    assert.equal(await field.inputValue(), '/library__review mood=bold of ')
    await page.keyboard.press('Enter')
    await page.getByText('A bold review').first().waitFor()
    assert.match(page.url(), /\/chat\/\S+$/)
    await page.locator('strong', { hasText: 'sandy' }).waitFor()
    await page.getByText('<img src=x').first().waitFor()
    assert.equal(await page.evaluate(() => 'pwned' in window), false)
    assert.match(JSON.stringify(provider.seen[0]?.body.messages), /Write a bold review.*of.*library:\/\/dune/)
    await page.getByRole('status').filter({ hasText: 'It is **sandy**' }).waitFor({ state: 'attached' })
  })

  it('shows calls before they run, asks in place, and goes on with their results', async () => {
    const { page } = open
    const calls = [call('a', 'one__echo', 'looked'), call('b', 'one__write', 'precious')]
    provider.say({ calls }, { text: ['Written'], tokens: { input: 100, output: 20 } })
    await say('Look and write')
    const write = page.getByRole('article', { name: 'Call of write' })
    await write.getByRole('heading', { name: 'chat wants to call write' }).waitFor()
    await write.getByText('asks you').waitFor()
    const echoed = page.getByRole('article', { name: 'Call of echo' })
    await echoed.getByText('done', { exact: true }).waitFor()
    assert.equal(await echoed.getByText('OK', { exact: true }).count(), 0, 'it says once how it ended')
    assert.deepEqual(await violationsInBothThemes(page), [])
    await page.reload()
    await write.getByRole('button', { name: 'Allow once' }).click()
    await write.getByText('done', { exact: true }).waitFor()
    await write.getByLabel('text', { exact: true }).getByText('precious').waitFor()
    await write.locator('header').getByRole('button', { name: 'Raw' }).click()
    await write.getByLabel('raw result').getByText('"precious"').waitFor()
    await page.getByText('Written', { exact: true }).first().waitFor()
    await page.getByText('100 tokens in, 20 out · cost 0.0001').waitFor()
    // the sum of the conversation, at its top
    await page.getByText(/^(?:best · )?\d+ tokens · cost 0\.\d+$/).waitFor()
  })

  it('is stopped in the middle of a stream, and a reload loses nothing', async () => {
    const { page } = open
    provider.say({ text: ['Once upon a time'], thenHang: true })
    // the answer begins before the page hears that its message was taken
    let tell = (): void => {}
    const isTold = new Promise<void>((resolve) => {
      tell = resolve
    })
    await page.route(/\/messages$/, async (route) => {
      const response = await route.fetch()
      await isTold
      await route.fulfill({ response })
    })
    await say('Tell me a story')
    await page.getByText('Once upon a time').waitFor()
    await page.getByLabel('Message', { exact: true }).fill('what I type meanwhile')
    const taken = page.waitForResponse(/\/messages$/)
    tell()
    await (await taken).finished()
    await page.unrouteAll({ behavior: 'wait' })
    await page.reload()
    await page.getByText('Once upon a time').waitFor()
    assert.equal(await page.getByLabel('Message', { exact: true }).inputValue(), 'what I type meanwhile')
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByText('You stopped it here.').waitFor()
    await provider.seen.at(-1)?.closed
    await page.reload()
    await page.getByText('You stopped it here.').waitFor()
  })

  it('a message is edited and sent again, and what came after it is gone', async () => {
    const { page } = open
    provider.say({ text: ['A poem'] })
    await page.getByRole('button', { name: 'Edit this message' }).last().click()
    await page.getByLabel('Edited message').fill('Tell me a poem')
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.getByText('A poem', { exact: true }).first().waitFor()
    assert.equal(await page.getByText('Once upon a time').count(), 0)
    assert.doesNotMatch(JSON.stringify(provider.seen.at(-1)?.body.messages), /a story|Once upon/)
  })

  it('says in plain words why there is no answer, and sends the message again', async () => {
    const { page } = open
    const busy = { status: 429, message: 'too many requests', headers: { 'retry-after-ms': '5' } }
    provider.say(busy, busy, busy, { text: ['Here I am'] })
    await say('Hello?')
    await page
      .getByText(/too many requests; try again later/)
      .first()
      .waitFor()
    assert.deepEqual(await violationsInBothThemes(page), [])
    await page.getByRole('button', { name: 'Send the message again' }).click()
    await page.getByText('Here I am', { exact: true }).first().waitFor()
    assert.equal(await page.getByText('Hello?', { exact: true }).count(), 1)
  })

  it('keeps several conversations, renames and deletes them, and Ctrl-K finds them', async () => {
    const { page } = open
    await page.getByRole('button', { name: 'Rename' }).click()
    await page.getByLabel('Title').fill('Sand and poems')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Sand and poems' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('new conversation')
    await page.getByRole('option', { name: /New conversation chat/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByLabel('What you want').waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('sand poems')
    await page.getByRole('option', { name: /Sand and poems conversation/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Sand and poems' }).waitFor()
    await page.getByRole('button', { name: 'Delete…' }).click()
    await page.getByRole('button', { name: 'Delete for good' }).click()
    await page.getByText('What you say is kept and listed here.').waitFor()
  })

  it('without a model it says what to set, and goes on when that is done', async () => {
    const { page, ann, faults } = open
    ann.configure({ mcpServers, models: {} })
    await page.getByRole('heading', { name: 'A model is missing' }).waitFor()
    await page.getByText(/none is configured; write into trunkline\.json/).waitFor()
    assert.deepEqual(await violationsInBothThemes(page), [])
    await page.setViewportSize({ width: 390, height: 800 })
    const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    assert.ok(excess <= 1, `${excess} pixels too wide`)
    assert.deepEqual(faults, [])
  })
})
