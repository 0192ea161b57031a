/**
 * Does five things with only the page, from the first screen on: each by what is on the screen, in few steps. With
 * `LOOK` set to a folder, a picture of every step is put there.
 */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Client } from '@trunkline/mcp'
import type { Locator } from 'playwright-core'
import { textOf } from '../../host/test/gateway/running-host.ts'
import { callerOf, programEntry } from '../../host/test/run/person.ts'
import { noBrowser } from '../../mcp/test/fixtures/browser.ts'
import { shortPaths } from '../src/text/short-paths.ts'
import { violations } from './axe.ts'
import { type OpenConsole, openConsole, visit } from './open-page.ts'
import { sharedBrowser } from './shared-browser.ts'

const maxSteps = 6

describe('with the page alone', { skip: noBrowser }, () => {
  let open: OpenConsole
  let editor: Client
  let task = ''
  let steps = 0

  before(async () => {
    open = await openConsole({
      browser: await sharedBrowser(),
      settings: { mcpServers: { notes: programEntry(), shop: programEntry() }, policy: { deny: ['notes:grow'] } },
      accepted: ['notes', 'shop'],
      run: { launcher: ['/usr/local/bin/trunkline'] },
    })
    editor = await callerOf(open.running)
  })
  after(async () => {
    await editor.close()
    await open[Symbol.asyncDispose]()
  })

  const begin = async (name: string) => {
    await visit(open.page, '/')
    await open.page.getByRole('heading', { level: 1 }).waitFor()
    task = name
    steps = 0
    await look()
  }
  const look = async () => {
    const { LOOK } = process.env
    if (LOOK !== undefined) await open.page.screenshot({ path: join(LOOK, `${task}-${steps}.png`) })
  }
  const click = async (what: Locator) => {
    await what.click()
    steps += 1
    await look()
  }
  const screen = (name: string) =>
    click(open.page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name }))
  const done = async () => {
    await look()
    assert.ok(steps <= maxSteps, `${task} took ${steps} steps`)
    assert.deepEqual(await violations(open.page), [])
    assert.deepEqual(open.faults, [])
  }

  it('they approve a call', async () => {
    const { page } = open
    await begin('approve')
    const call = editor.tools.call('notes__write', { text: 'Buy milk' })
    await page.getByRole('link', { name: /Inbox.*1 question waits/ }).waitFor()
    await screen('Inbox')
    await page.getByText('Buy milk').waitFor()
    await click(page.getByRole('button', { name: 'Allow once' }))
    assert.equal(textOf(await call), 'Buy milk')
    await page.getByText('allowed once by console').waitFor()
    await done()
  })

  it('they find out why one was denied, and where to change it', async () => {
    const { page, ann } = open
    await editor.tools.call('notes__grow', { bytes: 1 })
    await begin('denied')
    await screen('Activity')
    await click(page.getByRole('button', { name: /grow.*denied/ }).first())
    await page.getByText('Nothing: it was refused before it got there.').waitFor()
    await click(page.getByRole('link', { name: 'Why was this refused?' }))
    await page.getByText('deny "notes:grow"').first().waitFor()
    await page.getByText(`Remove or narrow the rule at ${shortPaths(ann.places.userFile, ann.home)}`).waitFor()
    assert.deepEqual(JSON.parse(await page.getByLabel('Arguments', { exact: true }).inputValue()), { bytes: 1 })
    await done()
  })

  it('they mend a server that fails', async () => {
    const { page, running } = open
    await running.host.catalogue.classify('shop', 'crash', 'reads')
    await editor.tools.call('shop__crash', {})
    await begin('mend')
    await page.getByRole('link', { name: /Servers.*1 server needs attention/ }).waitFor()
    await click(page.getByRole('main').getByRole('link', { name: 'shop' }))
    await page.locator('dd').getByText('failed', { exact: true }).waitFor()
    await page.getByRole('log').getByText('about to crash').waitFor()
    await page.getByText('trunkline doctor shop').waitFor()
    await click(page.getByRole('button', { name: 'Start', exact: true }))
    await page.getByText('ready', { exact: true }).first().waitFor()
    await done()
  })

  it('they try a tool', async () => {
    const { page } = open
    await begin('try')
    await screen('Tools')
    await page.getByLabel('Search tools').fill('write')
    await click(page.getByRole('link', { name: /^write shop/ }))
    assert.equal(await page.getByLabel('Search tools').inputValue(), 'write')
    await page.getByLabel('text', { exact: false }).first().fill('hello')
    await click(page.getByRole('button', { name: 'Run', exact: true }))
    // it writes, so it asks: here, and not somewhere else
    await click(page.getByRole('button', { name: 'Allow once' }))
    await page.getByLabel('text', { exact: true }).getByText('hello').waitFor()
    await done()
  })

  it('they connect an editor', async () => {
    const { page, ann } = open
    await begin('connect')
    await screen('Connect')
    await click(page.getByRole('link', { name: 'Cursor' }))
    await click(page.getByRole('button', { name: 'Write this change' }))
    await page.getByText('Written. Restart Cursor').waitFor()
    const file = join(ann.home, '.cursor/mcp.json')
    assert.ok(existsSync(file) && readFileSync(file, 'utf8').includes('/usr/local/bin/trunkline'))
    await done()
  })
})
