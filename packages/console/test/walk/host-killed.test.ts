/** The twelfth task: the host is killed under the page, once with the mouse and once by keyboard alone. */
import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { acceptServer, apiOf, clientOf } from '../../../cli/test/host/host-api.ts'
import { type HostHome, hostHome, upstreamEntry } from '../../../cli/test/host/host-home.ts'
import { inTerminal } from '../../../cli/test/tmux.ts'
import { providerKey, type ScriptedProvider, scriptedProvider } from '../../../host/test/model/scripted-provider.ts'
import { noBrowser } from '../../../mcp/test/fixtures/browser.ts'
import { builtConsole } from '../built-console.ts'
import { titled } from '../open-page.ts'
import { sharedBrowser } from '../shared-browser.ts'
import { type Hand, mouse } from './hand.ts'
import { keyboard } from './keyboard.ts'

describe('a host that is killed under an open page', { skip: noBrowser }, () => {
  const opened = new AsyncDisposableStack()
  let home: HostHome
  let provider: ScriptedProvider
  let page: Page
  let child: ChildProcess
  let port: string
  before(async () => {
    await builtConsole()
    provider = opened.use(await scriptedProvider())
    home = opened.use(hostHome())
    home.env.KEY = providerKey
    configure({ one: upstreamEntry })
    const up = await home.up()
    child = up.child
    port = new URL(up.ready.console ?? '').port
    page = await (await sharedBrowser()).newPage()
    opened.defer(() => page.context().close())
    const { PATH = '' } = process.env
    await using terminal = await inTerminal(['open', '--print'], { HOME: home.home, PATH })
    const [url = ''] = /http:\S+#code=\S+/.exec(await terminal.until(/#code=\S+/)) ?? []
    await page.goto(url)
    await page.getByRole('navigation', { name: 'Screens' }).waitFor()
  })
  after(() => opened.disposeAsync())

  function configure(mcpServers: object): void {
    const best = { provider: 'compatible', url: provider.url, key: `\${KEY}` }
    home.configure({ mcpServers, models: { best }, policy: { allow: ['one:echo'] } })
  }

  async function kill(): Promise<void> {
    child.kill('SIGKILL')
    await once(child, 'exit')
    await page.getByText('The host does not answer').waitFor()
  }

  async function start(): Promise<void> {
    const up = await home.up('--port', port)
    child = up.child
    await page.getByText('The host does not answer').waitFor({ state: 'detached' })
  }

  /** Says something once it can be sent: the words of an answer are seen before it has ended. */
  async function say(hand: Hand, field: string, text: string): Promise<void> {
    await hand.write(page.getByLabel(field, { exact: true }), text)
    await page.locator('button:enabled', { hasText: /^Send$/ }).waitFor()
    await page.keyboard.press('Enter')
  }

  it('with the mouse: the page says so, comes back by itself, and loses nothing: neither what was typed nor what waits', async () => {
    const hand = mouse(page)
    await hand.press(page.getByRole('link', { name: 'Add a server' }))
    await hand.write(page.getByLabel('Name'), 'half-typed')
    await kill()
    configure({ one: upstreamEntry, two: upstreamEntry })
    await start()
    assert.equal(await page.getByLabel('Name').inputValue(), 'half-typed')
    await hand.goTo('Inbox')
    for (const name of ['one', 'two']) await page.getByRole('link', { name: `Start ${name}` }).waitFor()
    await titled(page, '(2) Inbox · Trunkline')
  })

  it('by keyboard alone: a conversation, what waits and what happened are all there, with what was seen of an answer', async () => {
    const hand = keyboard(page)
    await acceptServer(apiOf(home), 'one')
    const editor = await clientOf(apiOf(home), 'editor')
    await editor.tools.call('one__echo', { text: 'before' })
    // the caller is gone with the host; the question is not
    editor.tools.call('one__write', { text: 'precious' }).catch(() => {})
    await page.getByRole('link', { name: /^write/ }).waitFor()
    await hand.goTo('Activity')
    // only what is seen is drawn, and how much else happens differs
    await hand.write(page.getByLabel('Search calls'), 'echo')
    await page.getByRole('button', { name: /editor.*echo.*ok/ }).waitFor()
    await hand.goTo('Chat')
    provider.say({ text: ['A first answer'] }, { text: ['Once upon a time'], thenHang: true })
    await say(hand, 'What you want', 'Hello')
    await page.getByText('A first answer', { exact: true }).first().waitFor()
    await say(hand, 'Message', 'Tell me a story')
    await page.getByText('Once upon a time').first().waitFor()
    await hand.write(page.getByLabel('Message', { exact: true }), 'what I type meanwhile')
    await kill()
    await page.getByText('A first answer', { exact: true }).first().waitFor()
    await start()
    await page.getByText('The host ended before the answer was whole.').waitFor()
    for (const text of ['A first answer', 'Tell me a story', 'Once upon a time']) {
      await page.getByText(text, { exact: true }).first().waitFor()
    }
    assert.equal(await page.getByLabel('Message', { exact: true }).inputValue(), 'what I type meanwhile')
    // who typed goes on typing
    await page.getByLabel('Message', { exact: true }).and(page.locator(':focus')).waitFor()
    provider.say({ text: ['The whole story'] })
    await hand.press(page.getByRole('button', { name: 'Send the message again' }))
    await page.getByText('The whole story', { exact: true }).first().waitFor()
    assert.equal(await page.getByText('Tell me a story', { exact: true }).count(), 1)
    await hand.goTo('Inbox')
    await hand.press(page.getByRole('link', { name: /^write/ }))
    await page.getByText('precious').first().waitFor()
    await page.getByRole('button', { name: 'Allow the next such call' }).waitFor()
    const back = await clientOf(apiOf(home), 'back')
    await back.tools.call('one__echo', { text: 'after' })
    await hand.goTo('Activity')
    await page.getByRole('button', { name: /back.*echo.*ok/ }).waitFor()
    await page.getByRole('button', { name: /editor.*echo.*ok/ }).waitFor()
    for (const client of [editor, back]) await client.close().catch(() => {})
  })
})
