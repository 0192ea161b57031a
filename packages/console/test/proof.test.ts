import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Client } from '@trunkline/mcp'
import type { CDPSession, Page } from 'playwright-core'
import { textOf } from '../../host/test/gateway/running-host.ts'
import { callerOf, programEntry } from '../../host/test/run/person.ts'
import { noBrowser } from '../../mcp/test/fixtures/browser.ts'
import { violationsInBothThemes } from './axe.ts'
import { type OpenConsole, openConsole } from './open-page.ts'
import { sharedBrowser } from './shared-browser.ts'

/** An authenticator of the browser, whose user is verified and touches it at once. */
const virtual = {
  protocol: 'ctap2',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
} as const

describe('a passkey, in the console', { skip: noBrowser }, () => {
  let open: OpenConsole
  let editor: Client
  let page: Page
  let browser: CDPSession
  let authenticatorId = ''
  let origin = ''

  before(async () => {
    open = await openConsole({
      browser: await sharedBrowser(),
      settings: { mcpServers: { one: programEntry() } },
      accepted: ['one'],
    })
    const { running } = open
    await running.host.catalogue.classify('one', 'write', 'destroys')
    editor = await callerOf(running)
    page = open.page
    origin = running.host.proof.pageOrigin ?? ''
    browser = await page.context().newCDPSession(page)
    await browser.send('WebAuthn.enable')
    const made = await browser.send('WebAuthn.addVirtualAuthenticator', { options: virtual })
    authenticatorId = made.authenticatorId
  })
  after(async () => {
    await editor.close()
    await open[Symbol.asyncDispose]()
  })

  it('is added at "localhost" alone', async () => {
    await page.getByRole('link', { name: 'Policy', exact: true }).click()
    await page.getByText(`Browsers take passkeys at ${origin} alone`).waitFor()
    await page.goto(`${origin}/policy#code=${open.running.api.pages.makeCode().code}`)
    await page.getByLabel('Name of a new passkey').fill('laptop')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByText(/Passkey laptop, added/).waitFor()
    assert.equal(await page.getByLabel('Calls that destroy').isChecked(), true)
    assert.deepEqual(open.running.host.proof.scopes, ['destroys', 'policy'])
    assert.deepEqual(await violationsInBothThemes(page), [])
  })

  it('signs what the dialog says; without it nothing is decided', async () => {
    const { inbox } = open.running.host
    const calling = editor.tools.call('one__write', { text: 'gone' })
    await page.goto(`${origin}/inbox`)
    await page.getByRole('button', { name: 'Allow once' }).click()
    const dialog = page.getByRole('dialog', { name: 'Confirm with your passkey' })
    await dialog.getByText('Allow once: one write').waitFor()
    assert.deepEqual(await violationsInBothThemes(page), [])
    await dialog.getByRole('button', { name: 'Do not decide' }).click()
    await page.getByText('This needs your passkey').waitFor()
    assert.equal(inbox.open.length, 1)
    await page.getByRole('button', { name: 'Allow once' }).click()
    await dialog.getByRole('button', { name: 'Use the passkey' }).click()
    assert.equal(textOf(await calling), 'gone')
  })

  it('is no proof where its user is not verified', async () => {
    const calling = editor.tools.call('one__write', { text: 'not yet' })
    await browser.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
    await page.getByRole('button', { name: 'Allow once' }).click()
    const dialog = page.getByRole('dialog', { name: 'Confirm with your passkey' })
    await dialog.getByRole('button', { name: 'Use the passkey' }).click()
    await dialog.getByRole('alert').waitFor()
    assert.equal(open.running.host.inbox.open.length, 1)
    await browser.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true })
    await dialog.getByRole('button', { name: 'Use the passkey' }).click()
    assert.equal(textOf(await calling), 'not yet')
  })

  it('is needed to choose less, and to remove it', async () => {
    await page.getByRole('link', { name: 'Policy', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Confirm with your passkey' })
    await page.getByLabel('Calls that destroy').click()
    await dialog.getByRole('button', { name: 'Use the passkey' }).click()
    await page.getByRole('checkbox', { name: 'Calls that destroy', checked: false }).waitFor()
    await page.getByRole('button', { name: 'Remove passkey laptop' }).click()
    await dialog.getByRole('button', { name: 'Use the passkey' }).click()
    await page.getByText('A passkey or a PIN is something that it cannot give').waitFor()
    assert.deepEqual(open.running.host.proof.scopes, [])
  })
})
