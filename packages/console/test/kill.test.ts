import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, it } from 'node:test'
import { hostHome, upstreamEntry } from '../../cli/test/host/host-home.ts'
import { launchBrowser, noBrowser } from '../../mcp/test/fixtures/browser.ts'
import { builtConsole } from './built-console.ts'

describe('a host that is killed under an open page', { skip: noBrowser }, () => {
  it('the page says so, comes back by itself, and loses nothing: neither what was typed nor what waits', async () => {
    await builtConsole()
    await using home = hostHome()
    home.configure({ mcpServers: { one: upstreamEntry } })
    const { ready, child } = await home.up()
    const browser = await launchBrowser()
    try {
      const page = await browser.newPage()
      await page.goto(ready.console ?? '')
      await page.getByRole('link', { name: /^Inbox/ }).waitFor()
      await page.getByRole('link', { name: 'Add a server' }).click()
      await page.getByLabel('Name').fill('half-typed')
      child.kill('SIGKILL')
      await once(child, 'exit')
      await page.getByText('The host does not answer').waitFor()
      home.configure({ mcpServers: { one: upstreamEntry, two: upstreamEntry } })
      await home.up('--port', new URL(ready.console ?? '').port)
      await page.getByText('The host does not answer').waitFor({ state: 'detached' })
      assert.equal(await page.getByLabel('Name').inputValue(), 'half-typed')
      await page.getByRole('link', { name: /^Inbox/ }).click()
      for (const name of ['one', 'two']) await page.getByRole('link', { name: `Start ${name}` }).waitFor()
      assert.match(await page.title(), /^\(2\) Inbox/)
    } finally {
      await browser.close()
    }
  })
})
