import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { callerOf } from '../../host/test/run/person.ts'
import { noBrowser } from '../../mcp/test/fixtures/browser.ts'
import { violationsInBothThemes } from './axe.ts'
import { openConsole } from './open-page.ts'
import { hostileEntry } from './programs/entry.ts'
import { hostileMarks } from './programs/hostile-words.ts'

describe('words of a hostile server', { skip: noBrowser }, () => {
  it('are text on every screen: nothing runs, nothing leaves, and what hides is marked', async () => {
    await using open = await openConsole({
      settings: { mcpServers: { hostile: hostileEntry() }, policy: { allow: ['hostile:everything'] } },
      accepted: ['hostile'],
    })
    const { page, running, faults } = open
    const seen: string[] = []
    await using editor = await callerOf(running)
    void editor.tools.call('hostile__write', { text: hostileMarks.join('\n') }).catch(() => {})
    const paths = ['/inbox', '/servers/hostile', '/tools/hostile/constructor', '/tools/hostile/everything']
    for (const path of [...paths, '/prompts', '/resources/hostile', '/activity', '/policy', '/connect']) {
      await page.goto(new URL(path, running.host.url).href)
      await page.getByRole('heading', { level: 1 }).waitFor()
      if (path.endsWith('everything')) {
        await page.getByRole('button', { name: 'Run', exact: true }).click()
        await page.getByText('OK', { exact: true }).first().waitFor()
        for (const button of await page.getByRole('button', { name: /Show as/ }).all()) await button.click()
      }
      seen.push(...(await page.locator('mark').allInnerTexts()))
      assert.equal(await page.evaluate(() => 'pwned' in window), false, path)
      assert.equal(await page.locator('main :is(script, iframe, style, [onerror], [onload])').count(), 0, path)
      assert.deepEqual(await violationsInBothThemes(page), [], path)
    }
    assert.ok(seen.includes('\\u{202e}') && seen.includes('\\u{1b}'), seen.join(' '))
    const outside = await page.locator('a[href^="javascript"]').count()
    assert.equal(outside, 0)
    assert.deepEqual(faults, [])
  })
})
