import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { source } from '../../host/test/run/package.ts'
import type { Person } from '../../host/test/run/person.ts'
import { noBrowser } from '../../mcp/test/fixtures/browser.ts'
import { violationsInBothThemes } from './axe.ts'
import { builtConsole } from './built-console.ts'
import { addressOf, openConsole, visit } from './open-page.ts'
import { sharedBrowser } from './shared-browser.ts'

const script = (version: string) => source({ version, description: 'Reads a note' })

/** The configuration of a server that is a script. */
function settings(ann: Person): object {
  writeFileSync(join(ann.home, 'notes.cjs'), script('1.0.0'))
  return { mcpServers: { notes: { command: process.execPath, args: [join(ann.home, 'notes.cjs')] } } }
}

describe('a server whose script was replaced', { skip: noBrowser }, () => {
  it('is shown with what changed, on its screen and in the inbox', async () => {
    await using open = await openConsole({
      browser: await sharedBrowser(),
      settings,
      accepted: ['notes'],
      path: '/servers/notes',
    })
    const { page, ann, faults } = open
    await page.getByText('notes 1.0.0').waitFor()
    writeFileSync(join(ann.home, 'notes.cjs'), script('6.6.6'))
    await page.getByRole('button', { name: 'Restart', exact: true }).click()
    await page.getByRole('heading', { name: 'Not what you accepted' }).waitFor()
    const changed =
      /Not as you accepted it: script ".*notes\.cjs" was changed \(sha256 [0-9a-f]{12} was accepted, now [0-9a-f]{12}\)/
    await page.getByText(changed).waitFor()
    const [program, file] = await page.locator('dt:text-is("Files") ~ dd').all()
    assert.equal((await program?.boundingBox())?.x, (await file?.boundingBox())?.x, 'files stand below each other')
    assert.deepEqual(await violationsInBothThemes(page), [])
    await visit(page, '/inbox')
    await page.getByRole('heading', { name: 'May notes be started?' }).waitFor()
    await page.getByText(changed).waitFor()
    await page.getByText(/server "notes" would run something else than what you accepted/).waitFor()
    assert.deepEqual(await violationsInBothThemes(page), [])
    // the browser itself notes that the start was refused
    assert.deepEqual(
      faults.filter((fault) => !/^console: Failed to load resource/.test(fault)),
      [],
    )
  })
})

describe('servers of an earlier version', { skip: noBrowser }, () => {
  for (const [button, by] of [
    ['These are mine', 'person'],
    ['Refuse', 'nobody'],
  ] as const) {
    it(`are one question with what was found of them; "${button}" answers it`, async () => {
      await using open = await openConsole({ browser: await sharedBrowser(), settings, accepted: ['notes'] })
      const { page, running, ann } = open
      // the store of a version that did not bind servers to their files
      running.host.store.database.exec('DELETE FROM program_binding')
      await running.close()
      await using again = await ann.run({ console: await builtConsole() })
      await page.goto(addressOf(again, '/inbox'))
      const heading = page.getByRole('heading', {
        name: 'Are these the servers and clients that you accepted earlier?',
      })
      await heading.waitFor()
      const found = page.getByLabel('The files and clients that were found')
      assert.match(
        await found.innerText(),
        /notes: program .*node[\s\S]*notes: script .*notes\.cjs \(sha256 [0-9a-f]{12}\)/,
      )
      assert.deepEqual(await violationsInBothThemes(page), [])
      // nothing called, so there is no caller to write to
      assert.equal(await page.getByLabel(/A sentence for the caller/).count(), 0)
      await page.getByRole('button', { name: button }).click()
      await page.getByText('Nothing waits for you').waitFor()
      assert.equal(again.host.bound.of('notes')?.by, by)
    })
  }
})
