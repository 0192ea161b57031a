import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { acceptServer, apiOf, clientOf } from '../../cli/test/host/host-api.ts'
import { type HostHome, hostHome, upstreamEntry } from '../../cli/test/host/host-home.ts'
import { inTerminal } from '../../cli/test/tmux.ts'
import { providerKey, type ScriptedProvider, scriptedProvider } from '../../host/test/model/scripted-provider.ts'
import { noBrowser } from '../../mcp/test/fixtures/browser.ts'
import { builtConsole } from './built-console.ts'
import { sharedBrowser } from './shared-browser.ts'

describe('a host that is killed under an open page', { skip: noBrowser }, () => {
  const opened = new AsyncDisposableStack()
  let home: HostHome
  let provider: ScriptedProvider
  let page: Page
  let child: ChildProcess
  let port: string
  const screen = (name: RegExp) => page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name })
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
    await screen(/^Inbox/).waitFor()
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
  async function say(field: string, text: string): Promise<void> {
    await page.getByLabel(field, { exact: true }).fill(text)
    await page.locator('button:enabled', { hasText: /^Send$/ }).waitFor()
    await page.keyboard.press('Enter')
  }

  it('the page says so, comes back by itself, and loses nothing: neither what was typed nor what waits', async () => {
    await page.getByRole('link', { name: 'Add a server' }).click()
    await page.getByLabel('Name').fill('half-typed')
    await kill()
    configure({ one: upstreamEntry, two: upstreamEntry })
    await start()
    assert.equal(await page.getByLabel('Name').inputValue(), 'half-typed')
    await screen(/^Inbox/).click()
    for (const name of ['one', 'two']) await page.getByRole('link', { name: `Start ${name}` }).waitFor()
    assert.match(await page.title(), /^\(2\) Inbox/)
  })

  it('a conversation, what waits and what happened are all there, with what was seen of an answer', async () => {
    await acceptServer(apiOf(home), 'one')
    const editor = await clientOf(apiOf(home), 'editor')
    await editor.tools.call('one__echo', { text: 'before' })
    // the caller is gone with the host; the question is not
    editor.tools.call('one__write', { text: 'precious' }).catch(() => {})
    await page.getByRole('link', { name: /^write/ }).waitFor()
    await screen(/^Activity/).click()
    // only what is seen is drawn, and how much else happens differs
    await page.getByLabel('Search calls').fill('echo')
    await page.getByRole('button', { name: /editor.*echo.*ok/ }).waitFor()
    await screen(/^Chat/).click()
    provider.say({ text: ['A first answer'] }, { text: ['Once upon a time'], thenHang: true })
    await say('What you want', 'Hello')
    await page.getByText('A first answer', { exact: true }).first().waitFor()
    await say('Message', 'Tell me a story')
    await page.getByText('Once upon a time').first().waitFor()
    await page.getByLabel('Message', { exact: true }).fill('what I type meanwhile')
    await kill()
    await page.getByText('A first answer', { exact: true }).first().waitFor()
    await start()
    await page.getByText('The host ended before the answer was whole.').waitFor()
    for (const text of ['A first answer', 'Tell me a story', 'Once upon a time']) {
      await page.getByText(text, { exact: true }).first().waitFor()
    }
    assert.equal(await page.getByLabel('Message', { exact: true }).inputValue(), 'what I type meanwhile')
    provider.say({ text: ['The whole story'] })
    await page.getByRole('button', { name: 'Send the message again' }).click()
    await page.getByText('The whole story', { exact: true }).first().waitFor()
    assert.equal(await page.getByText('Tell me a story', { exact: true }).count(), 1)
    await screen(/^Inbox/).click()
    await page.getByRole('link', { name: /^write/ }).click()
    await page.getByText('precious').first().waitFor()
    await page.getByRole('button', { name: 'Allow the next such call' }).waitFor()
    const back = await clientOf(apiOf(home), 'back')
    await back.tools.call('one__echo', { text: 'after' })
    await screen(/^Activity/).click()
    await page.getByRole('button', { name: /back.*echo.*ok/ }).waitFor()
    await page.getByRole('button', { name: /editor.*echo.*ok/ }).waitFor()
    for (const client of [editor, back]) await client.close().catch(() => {})
  })
})
