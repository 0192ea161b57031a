import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Client } from '@trunkline/mcp'
import { callerOf, programEntry } from '../../host/test/run/person.ts'
import { noBrowser } from '../../mcp/test/fixtures/browser.ts'
import { violationsInBothThemes } from './axe.ts'
import { type OpenConsole, openConsole, visit } from './open-page.ts'
import { sharedBrowser } from './shared-browser.ts'
import { typeOver } from './type-over.ts'

describe('activity, policy and connect', { skip: noBrowser }, () => {
  let open: OpenConsole
  let editor: Client
  const go = (path: string) => visit(open.page, path)
  before(async () => {
    open = await openConsole({
      browser: await sharedBrowser(),
      settings: { mcpServers: { one: programEntry() }, policy: { deny: ['one:crash'] } },
      accepted: ['one'],
      path: '/activity',
      run: { launcher: ['/usr/bin/node', '/opt/trunkline.js'] },
    })
    editor = await callerOf(open.running)
  })
  after(async () => {
    await editor.close()
    await open[Symbol.asyncDispose]()
  })

  it('acts appear as they happen, with both hops, and can be filtered and paused', async () => {
    const { page } = open
    await editor.tools.call('one__echo', { text: 'first', token: 'abc' })
    await editor.tools.call('one__crash', {})
    const acts = page.getByRole('list', { name: 'Calls' })
    await acts.getByRole('button', { name: /crash.*denied/ }).waitFor()
    await acts.getByRole('button', { name: /echo/ }).click()
    await page.getByRole('heading', { name: 'Sent to the server' }).waitFor()
    await page.getByLabel('Asked for by the client').getByText('"text": "first"').waitFor()
    assert.deepEqual(await violationsInBothThemes(page), [])
    await page.getByLabel('Outcome').selectOption('refused')
    await acts.getByRole('button', { name: /echo/ }).waitFor({ state: 'detached' })
    await page.getByLabel('Outcome').selectOption('')
    await page.getByRole('button', { name: 'Pause' }).click()
    const shown = await acts.getByRole('button').count()
    await editor.tools.call('one__echo', { text: 'second' })
    await page.getByRole('button', { name: /Go on \(\d+ more came\)/ }).waitFor()
    assert.equal(await acts.getByRole('button').count(), shown)
    await page.getByRole('button', { name: /Go on/ }).click()
    await page.waitForFunction(
      (before) => document.querySelectorAll('ul[aria-label="Calls"] button').length > before,
      shown,
    )
  })

  it('an act leads to why it was denied, and to what would change it', async () => {
    const { page } = open
    await page.getByRole('button', { name: /crash.*denied/ }).click()
    await page.getByRole('link', { name: 'Why was this refused?' }).click()
    await page.getByRole('list', { name: 'Rules that were looked at' }).getByText('one:crash').waitFor()
    await page.getByText('To change it:').waitFor()
    await page.getByText(/each carries the hash of the one before it/).waitFor()
    assert.deepEqual(await violationsInBothThemes(page), [])
  })

  it('a rule is checked while one types, tried on what was recorded, made and undone', async () => {
    const { page, ann } = open
    await go('/policy')
    await page.getByLabel('Rule', { exact: true }).fill('one:echo{')
    await page.locator('[aria-invalid="true"]').waitFor()
    await page.getByLabel('Effect').selectOption('deny')
    await page.getByLabel('Rule', { exact: true }).fill('nosuch:tool')
    await page.getByText(/matches nothing\. No server is called "nosuch"; there are /).waitFor()
    await page.getByLabel('Rule', { exact: true }).fill('one:echo')
    await page.getByText(/would have ended otherwise/).waitFor()
    await page.getByRole('button', { name: 'Add this rule' }).click()
    await page.getByRole('cell', { name: 'one:echo' }).waitFor()
    assert.match(readFileSync(ann.places.userFile, 'utf8'), /one:echo/)
    await page.getByRole('button', { name: 'Undo the last rule that was made here' }).click()
    await page.getByRole('cell', { name: 'one:echo' }).waitFor({ state: 'detached' })
    assert.doesNotMatch(readFileSync(ann.places.userFile, 'utf8'), /one:echo/)
  })

  it('the policy file follows the disk, is checked as one types, tried, shown as a diff and saved as it was typed', async () => {
    const { page, ann } = open
    const written = readFileSync(ann.places.userFile, 'utf8')
    ann.configure(written.replace('"policy": {', '// what may happen\n  "policy": {'))
    const file = page.getByLabel('The policy file')
    await file.getByText('// what may happen').waitFor()
    const text = readFileSync(ann.places.userFile, 'utf8')
    await typeOver(file, text.replace('one:crash', 'one'))
    const line = text.split('\n').findIndex((one) => one.includes('one:crash')) + 1
    await page.getByRole('list', { name: 'What is wrong in the file' }).getByText(`Line ${line}:`).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Show what changes…' }).isDisabled(), true)
    assert.deepEqual(await violationsInBothThemes(page), [])
    const better = text.replace('"one:crash"', '"one:crash", "one:echo" /* too loud */')
    await typeOver(file, better)
    await page.getByText(/would have ended otherwise/).waitFor()
    await page.getByRole('button', { name: 'Show what changes…' }).click()
    await page.getByLabel('Change to the policy file').getByText('too loud').waitFor()
    assert.equal(readFileSync(ann.places.userFile, 'utf8'), text)
    await page.getByRole('button', { name: 'Save this change' }).click()
    await page.getByText('Saved, and in force').waitFor()
    assert.equal(readFileSync(ann.places.userFile, 'utf8'), better)
    await page.getByRole('cell', { name: 'one:echo' }).waitFor()
    await typeOver(file, `${better}// typed here`)
    ann.configure(better.replace('what may happen', 'written elsewhere'))
    await page.getByText('The file was changed on the disk while you typed').waitFor()
    await file.getByText('// typed here').waitFor()
    await page.getByRole('button', { name: 'Show the file as it is now' }).click()
    await file.getByText('// written elsewhere').waitFor()
    await page.getByRole('button', { name: 'Compare with what servers offer now' }).click()
    await page.getByText('offers exactly what you accepted').waitFor()
  })

  it('a client is connected after its change and who asks were shown, and exactly that is written', async () => {
    const { page, ann, faults } = open
    await go('/connect/cursor')
    const change = page.getByLabel('Change to the file of Cursor')
    await change.getByText('"--client"').waitFor()
    const who = page.getByRole('group', { name: 'Who asks before a call runs?' })
    assert.equal(await who.getByLabel(/^Trunkline:/).isChecked(), true)
    await who.getByText('No file of Cursor turns its own question off').waitFor()
    assert.deepEqual(await violationsInBothThemes(page), [])
    const before = readFileSync(ann.places.userFile, 'utf8')
    await who.getByLabel(/^Cursor:/).check()
    const rule = page.getByLabel(`Change to ${ann.places.userFile}`)
    await rule.getByText('"principal": "cursor"').waitFor()
    assert.equal(await who.getByText('No file of Cursor').count(), 0)
    assert.equal(readFileSync(ann.places.userFile, 'utf8'), before)
    await page.getByRole('button', { name: 'Write this change' }).click()
    await page.getByText('Written. Restart Cursor').waitFor()
    const written = JSON.parse(readFileSync(join(ann.home, '.cursor/mcp.json'), 'utf8'))
    assert.deepEqual(written.mcpServers.trunkline.args, ['/opt/trunkline.js', 'stdio', '--client', 'cursor'])
    assert.match(readFileSync(ann.places.userFile, 'utf8'), /"principal": "cursor"/)
    await page.getByRole('link', { name: 'Cursor connected' }).waitFor()
    // decided anew later: the rule goes, the entry stays
    await page.reload()
    await page.getByText('It is connected: its file holds this already.').waitFor()
    assert.equal(await who.getByLabel(/^Cursor:/).isChecked(), true)
    await who.getByLabel(/^Trunkline:/).check()
    await page.getByRole('button', { name: 'Write this change' }).click()
    await page.getByText('Written. Restart Cursor').waitFor()
    assert.equal(readFileSync(ann.places.userFile, 'utf8'), before)
    assert.deepEqual(faults, [])
  })
})
