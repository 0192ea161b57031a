import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { after, before, describe, it } from 'node:test'
import { programEntry } from '../../host/test/run/person.ts'
import { noBrowser } from '../../mcp/test/fixtures/browser.ts'
import { violationsInBothThemes } from './axe.ts'
import { type OpenConsole, openConsole } from './open-page.ts'
import { manyEntry } from './programs/entry.ts'

const everything = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js')

describe('tools, resources and prompts', { skip: noBrowser }, () => {
  let open: OpenConsole
  const go = (path: string) => open.page.goto(new URL(path, open.running.host.url).href)
  before(async () => {
    open = await openConsole({
      settings: {
        mcpServers: { one: programEntry(), everything: { command: process.execPath, args: [everything] } },
        policy: { allow: ['everything:*'] },
      },
      accepted: ['one', 'everything'],
      path: '/tools',
    })
  })
  after(() => open[Symbol.asyncDispose]())

  it('a tool is found over all servers and run from a form with its JSON beside it, in step both ways', async () => {
    const { page } = open
    await page.getByLabel('Search tools').fill('get-sum')
    await page.getByRole('link', { name: /get-sum/ }).click()
    await page.getByLabel('a required').fill('2')
    await page.getByLabel('Arguments as JSON').getByText('"a": 2').waitFor()
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByText('This is required').waitFor()
    await page.getByLabel('Arguments as JSON').fill('{ "a": 2, "b": 40 }')
    assert.equal(await page.getByLabel('b required').inputValue(), '40')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByText('The sum of 2 and 40 is 42').waitFor()
    assert.deepEqual(await violationsInBothThemes(page), [])
    await page.getByRole('button', { name: 'Copy as command line' }).click()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    assert.equal(copied, 'trunkline call everything get-sum a:=2 b:=40')
    await page.getByRole('button', { name: 'Raw' }).click()
    await page.getByLabel('raw result').getByText('"type": "text"').waitFor()
    await page.getByRole('heading', { name: 'History' }).waitFor()
  })

  it('progress stands at the call, and a cancelled call says so', async () => {
    await go('/tools/everything/trigger-long-running-operation')
    const { page } = open
    // the defaults are as the server declared them
    assert.equal(await page.getByLabel('duration').inputValue(), '10')
    await page.getByLabel('duration').fill('60')
    await page.getByLabel('steps').fill('300')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByText(/\d+ of 300/).waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('Cancelled. The server was told to stop.').waitFor()
  })

  it('what a rule asks about asks here too, and the result comes when it was allowed', async () => {
    await go('/tools/one/write')
    const { page, running } = open
    await page.getByLabel('text').fill('by hand')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByText('This call asks first').waitFor()
    const [question] = running.host.inbox.open
    assert.deepEqual(question?.detail.arguments, { text: 'by hand' })
    await running.host.inbox.answer(question?.id ?? '', { choice: 'once', by: 'terminal' }, { isLocal: true })
    await page.getByLabel('text', { exact: true }).getByText('by hand').waitFor()
  })

  it('a failed tool never reads OK, and a picture is shown as one', async () => {
    await go('/tools/everything/get-tiny-image')
    const { page } = open
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByRole('img', { name: 'Result of type image/png' }).waitFor()
    await go('/tools/one/crash')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    const [question] = await Promise.all([waiting(open), page.getByText('This call asks first').waitFor()])
    await open.running.host.inbox.answer(question, { choice: 'once', by: 'terminal' }, { isLocal: true })
    await page.getByText('The tool failed').waitFor()
    assert.equal(await page.getByText('OK', { exact: true }).count(), 0)
  })

  it('a prompt is filled in', async () => {
    await go('/prompts/everything/args-prompt')
    const { page } = open
    await page.getByLabel('city').fill('Graz')
    await page.getByRole('button', { name: 'Fill in' }).click()
    await page.getByText(/weather in Graz/).waitFor()
    assert.deepEqual(await violationsInBothThemes(page), [])
  })

  it('resources are listed and read, templates are filled in', async () => {
    await go('/resources/everything')
    const { page, faults } = open
    await page.getByRole('link', { name: /architecture\.md/ }).click()
    await page.getByRole('button', { name: 'Show as Markdown' }).click()
    assert.deepEqual(await violationsInBothThemes(page), [])
    await page.getByRole('link', { name: /dynamic\/text/ }).click()
    await page.getByLabel('resourceId').fill('7')
    await page.getByRole('button', { name: 'Read', exact: true }).click()
    await page.getByText(/Resource 7/).waitFor()
    assert.deepEqual(faults, [])
  })
})

async function waiting({ running }: OpenConsole): Promise<string> {
  return new Promise((resolve) => {
    const stop = running.host.inbox.addDoor({
      name: 'test',
      isLocal: true,
      present: ({ id }) => {
        queueMicrotask(() => stop())
        resolve(id)
      },
      withdraw() {},
    })
  })
}

describe('ten thousand tools', { skip: noBrowser }, () => {
  it('are searched while one types, and only those that are seen are drawn', async () => {
    await using open = await openConsole({
      settings: { mcpServers: { many: manyEntry() } },
      accepted: ['many'],
      path: '/tools',
    })
    const { page } = open
    await page.getByText('10,000 tools').first().waitFor()
    assert.ok((await page.evaluate(() => document.querySelectorAll('*').length)) < 2_000)
    await page.getByLabel('Search tools').fill('tool-9876')
    await page.getByRole('link', { name: /^tool-9876/ }).waitFor()
    assert.ok((await page.evaluate(() => document.querySelectorAll('*').length)) < 2_000)
  })
})
