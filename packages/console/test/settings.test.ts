import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { programEntry } from '../../host/test/run/person.ts'
import { noBrowser } from '../../mcp/test/fixtures/browser.ts'
import { violationsInBothThemes } from './axe.ts'
import { type OpenConsole, openConsole, visit } from './open-page.ts'
import { sharedBrowser } from './shared-browser.ts'

describe('settings', { skip: noBrowser }, () => {
  let open: OpenConsole
  const codes: string[] = []
  const text = () => readFileSync(open.ann.places.userFile, 'utf8')
  const fillCode = async () => {
    const field = open.page.getByLabel('The code that the terminal shows')
    await field.waitFor()
    await field.fill(codes.at(-1) ?? '')
  }
  before(async () => {
    const waiting = programEntry('upstream', { env: { DOOR: 'secret:door' } })
    open = await openConsole({
      browser: await sharedBrowser(),
      settings: { mcpServers: { one: programEntry(), two: waiting }, models: { own: { provider: 'openai' } } },
      path: '/servers',
      run: { onAcceptCode: ({ code }) => codes.push(code) },
    })
  })
  after(() => open[Symbol.asyncDispose]())

  it('a first run is three steps, the first of which ends with a code from the terminal', async () => {
    const { page } = open
    const steps = page.getByRole('list', { name: 'First steps' })
    await steps.getByRole('heading', { name: 'Connect your editor' }).waitFor()
    assert.equal(await steps.locator('> li').count(), 3)
    assert.equal(await page.getByRole('row', { name: /^one/ }).count(), 0, 'no row of zeros')
    await steps.getByRole('button', { name: 'Accept this server…' }).click()
    await fillCode()
    await steps.getByRole('button', { name: 'Accept and start' }).click()
    await steps.getByRole('link', { name: 'Choose a tool' }).waitFor()
    await page.getByRole('row', { name: /^one/ }).waitFor()
    assert.deepEqual(await violationsInBothThemes(page), [])
  })

  it('are forms made from the schema, whose changes are shown in the file and then written', async () => {
    const { page, ann } = open
    await visit(page, '/settings/ledger')
    await page.getByLabel('keepDays').fill('5')
    await page.getByRole('button', { name: 'Show what changes' }).click()
    await page
      .getByRole('group', { name: `Change to ${ann.places.userFile}` })
      .getByText('"keepDays": 5')
      .waitFor()
    assert.doesNotMatch(text(), /keepDays/)
    await page.getByRole('button', { name: 'Write this change' }).click()
    await page.getByText(/^Written to /).waitFor()
    assert.match(text(), /"keepDays": 5/)
    await page.getByRole('link', { name: 'Models and keys' }).click()
    await page.locator('summary').getByText('own').click()
    await page.getByLabel('key', { exact: true }).fill('a-plain-key-that-was-typed')
    await page.getByRole('button', { name: 'Show what changes' }).click()
    await page.getByText('Kept apart from the file, as: model.own.key').waitFor()
    assert.deepEqual(await violationsInBothThemes(page), [])
    await page.getByRole('button', { name: 'Write this change' }).click()
    await page.getByText(/^Written to /).waitFor()
    assert.doesNotMatch(text(), /a-plain-key/)
  })

  it('list secrets with where they are used, and tokens that are created with a code, shown once and revoked', async () => {
    const { page, running, faults } = open
    await visit(page, '/settings/secrets')
    await page.getByRole('row', { name: /^door missing two/ }).waitFor()
    await page.getByRole('button', { name: 'Set door' }).click()
    await page.getByLabel('Value of door').fill('sesame')
    await page.getByRole('button', { name: 'Store' }).click()
    await page.getByRole('row', { name: /^door stored two/ }).waitFor()
    await page.getByRole('row', { name: /^model\.own\.key stored model own/ }).waitFor()
    assert.ok(!(await page.content()).includes('sesame'))
    assert.deepEqual(await violationsInBothThemes(page), [])
    await page.getByRole('link', { name: 'Clients and tokens' }).click()
    await page.getByLabel('Name of the program').fill('agent')
    await page.getByRole('button', { name: 'Create…' }).click()
    await fillCode()
    await page.getByRole('button', { name: 'Create the token' }).click()
    const token = await page.getByLabel('token', { exact: true }).locator('code, pre').first().innerText()
    assert.equal(running.host.principals.byToken(token)?.name, 'agent')
    assert.deepEqual(await violationsInBothThemes(page), [])
    await page.getByRole('button', { name: 'Revoke agent' }).click()
    await page.getByText('Revoked: agent').waitFor()
    assert.deepEqual(faults, [])
  })

  it('set the roots of a project, which its servers get from then on', async () => {
    const { page, running, ann, faults } = open
    const { project: root = '' } = await running.host.projects.open(ann.project)
    await visit(page, '/settings/projects')
    await page.getByRole('row', { name: /of the client, else this folder/ }).waitFor()
    await page.getByLabel('Folder of a project').fill(root)
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.locator('summary').getByText(root).click()
    await page.getByRole('button', { name: 'Add to roots' }).click()
    await page.getByRole('textbox', { name: /^roots 1/ }).fill('/shared')
    await page.getByRole('button', { name: 'Show what changes' }).click()
    await page.getByRole('button', { name: 'Write this change' }).click()
    await page.getByRole('row', { name: /file:\/\/\/shared/ }).waitFor()
    assert.deepEqual(running.host.projects.of(root).roots, ['/shared'])
    assert.deepEqual(await violationsInBothThemes(page), [])
    assert.deepEqual(faults, [])
  })
})
