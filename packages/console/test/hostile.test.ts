import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Client } from '@trunkline/mcp'
import { providerKey, type ScriptedProvider, scriptedProvider } from '../../host/test/model/scripted-provider.ts'
import { callerOf } from '../../host/test/run/person.ts'
import { noBrowser } from '../../mcp/test/fixtures/browser.ts'
import { violationsInBothThemes } from './axe.ts'
import { type OpenConsole, openConsole, visit } from './open-page.ts'
import { hostileEntry } from './programs/entry.ts'
import { hostileMarks } from './programs/hostile-words.ts'
import { sharedBrowser } from './shared-browser.ts'

const words = hostileMarks.join('\n')

describe('words of a hostile server', { skip: noBrowser }, () => {
  let open: OpenConsole
  let editor: Client
  let provider: ScriptedProvider
  before(async () => {
    provider = await scriptedProvider()
    open = await openConsole({
      browser: await sharedBrowser(),
      settings: {
        mcpServers: { hostile: hostileEntry() },
        models: { best: { provider: 'compatible', url: provider.url, key: `\${KEY}` } },
        policy: { allow: ['hostile:everything', 'hostile:fail', 'hostile:ask', 'hostile:__proto__x'] },
      },
      environment: { KEY: providerKey },
      accepted: ['hostile'],
    })
    open.page.on('dialog', (dialog) => {
      open.faults.push(`dialog: ${dialog.message()}`)
      void dialog.dismiss()
    })
    open.page.context().on('page', (other) => open.faults.push(`a window opened: ${other.url()}`))
    editor = await callerOf(open.running)
    // questions and acts are in its words too
    void editor.tools.call('hostile__write', { text: words }).catch(() => {})
    await editor.tools.call('hostile__fail', {}).catch(() => {})
  })
  after(async () => {
    await provider[Symbol.asyncDispose]()
    await editor.close()
    await open[Symbol.asyncDispose]()
  })

  const go = async (path: string) => {
    await visit(open.page, path)
    await open.page.getByRole('heading', { level: 1 }).waitFor()
  }
  /** Nothing of it ran, left, became markup or hid itself. */
  const isHarmless = async (where: string) => {
    const { page, faults } = open
    assert.equal(await page.evaluate(() => 'pwned' in window), false, where)
    const made = 'main script, body :is(iframe, object, embed, style, [onerror], [onload], [srcdoc])'
    assert.equal(await page.locator(made).count(), 0, where)
    assert.equal(await page.locator('a[href^="javascript" i], a[href^="data:" i], img[src^="http"]').count(), 0, where)
    // the part of the page in which such a character stands, if there is one
    const hidden = await page.locator('body').evaluate((body) => {
      const hides = /\p{Bidi_Control}|\u200b/u
      const parts = [...body.querySelectorAll('*:not(script, textarea)')].filter(
        (part) => part.children.length === 0 && hides.test(part.textContent),
      )
      return parts.map((part) => part.outerHTML.slice(0, 200)).join('\n')
    })
    assert.equal(hidden, '', `${where} shows a character that hides or reorders others`)
    assert.deepEqual(faults, [], where)
  }

  it('are text on every screen: nothing runs, nothing leaves, and what hides is marked', async () => {
    const { page } = open
    const seen: string[] = []
    const uri = encodeURIComponent('https://evil.test/%3Cscript%3E')
    const entry = { command: `never-run ${hostileMarks[0]}`, args: hostileMarks, env: { [hostileMarks[6]]: words } }
    mkdirSync(join(open.ann.home, '.cursor'), { recursive: true })
    writeFileSync(
      join(open.ann.home, '.cursor/mcp.json'),
      JSON.stringify({ mcpServers: { [words]: entry, other: entry } }),
    )
    const paths = [
      '/inbox',
      '/servers',
      '/servers/add',
      '/servers/hostile',
      '/tools/hostile/constructor',
      '/prompts',
      '/resources',
    ]
    const more = [`/resources/hostile/${uri}`, `/resources/hostile/${encodeURIComponent('hostile:{constructor}')}`]
    const rest = ['/activity', '/policy?server=hostile&tool=constructor&client=editor', '/connect', '/chat']
    for (const path of [...paths, ...more, ...rest]) {
      await go(path)
      if (path.includes('evil.test')) await page.getByText('OK', { exact: true }).waitFor()
      if (path.endsWith('/add')) await page.getByText('never-run').first().waitFor()
      if (path.endsWith('/servers/hostile')) await page.getByRole('log').getByText('window.pwned').first().waitFor()
      seen.push(...(await page.locator('mark').allInnerTexts()))
      await isHarmless(path)
    }
    await go('/servers/add')
    await page.getByLabel('Paste it here').fill(JSON.stringify({ mcpServers: { [hostileMarks[6]]: entry } }))
    await page.getByRole('button', { name: 'Look for servers' }).click()
    await page.getByRole('button', { name: /^Add user/ }).waitFor()
    await isHarmless('what was pasted')
    // the scanner set most of it aside; a person can look at it, and accept it all the same
    await go('/inbox')
    await page.getByRole('link', { name: /Changed tools/ }).click()
    await page.getByRole('button', { name: 'Accept all of this' }).waitFor()
    await isHarmless('changed definitions')
    assert.deepEqual(await violationsInBothThemes(page), [])
    await page.getByRole('button', { name: 'Accept all of this' }).click()
    await page.getByText('Settled', { exact: true }).waitFor()
    assert.ok(seen.includes('\\u{202e}') && seen.includes('\\u{1b}'), seen.join(' '))
  })

  it('are text in results, errors and forms, also where a person opens what they hold', async () => {
    const { page } = open
    const run = () => page.getByRole('button', { name: 'Run', exact: true }).click()
    await go('/tools/hostile/everything')
    await run()
    await page.getByText('OK', { exact: true }).first().waitFor()
    await isHarmless('results as what they are')
    for (const button of await page.getByRole('button', { name: /^Show as/ }).all()) await button.click()
    await isHarmless('results as something else')
    assert.deepEqual(await violationsInBothThemes(page), [])
    await page.getByRole('button', { name: 'Raw' }).click()
    await isHarmless('raw results')
    await go('/tools/hostile/fail')
    await run()
    await page.getByLabel('error data', { exact: true }).waitFor()
    await isHarmless('an error')
    await go('/prompts/hostile/__proto__x')
    await page.getByRole('button', { name: 'Fill in' }).click()
    await page.getByText('OK', { exact: true }).first().waitFor()
    await isHarmless('a prompt')
    const asked = editor.tools.call('hostile__ask', {}).catch(() => {})
    await go('/inbox')
    await page.getByRole('link', { name: /A form to fill in/ }).click()
    await page.getByRole('button', { name: 'Send to hostile' }).waitFor()
    await isHarmless('a form')
    assert.deepEqual(await violationsInBothThemes(page), [])
    await page.getByRole('button', { name: 'Refuse' }).click()
    await asked
  })

  it('are text in the palette, in an act and in a conversation', async () => {
    const { page } = open
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('hostile')
    await page.getByRole('option').first().waitFor()
    await isHarmless('the palette')
    await page.keyboard.press('Escape')
    await go('/activity')
    await page.getByRole('button', { name: /fail/ }).first().click()
    await page
      .getByRole('heading', { name: /Came back|Asked for/ })
      .first()
      .waitFor()
    await isHarmless('an act')
    const passed = page.getByRole('list', { name: 'Everything that passed' })
    await passed.locator('summary').first().waitFor()
    for (const message of await passed.locator('summary').all()) await message.click()
    await isHarmless('the wire')
    await page.getByRole('button', { name: 'Waterfall' }).click()
    await page.getByRole('region', { name: 'Waterfall' }).waitFor()
    await isHarmless('the waterfall')
    provider.say({ calls: [{ id: 'a', name: 'hostile__everything', arguments: {} }] }, { text: [words] })
    await go('/chat')
    const field = page.getByLabel('What you want')
    await field.pressSequentially('/hostile')
    await page.getByRole('option').first().waitFor()
    await isHarmless('prompts to choose from')
    await page.keyboard.press('Tab')
    await page.getByRole('option', { name: /style=/ }).waitFor()
    await isHarmless('arguments of a prompt')
    await field.fill('')
    await field.pressSequentially('@evil')
    await page.getByRole('option').first().waitFor()
    await isHarmless('resources to choose from')
    await field.fill(words.replaceAll('\n', ' '))
    await page.keyboard.press('Enter')
    await provider.count(2)
    await page.getByText('bold').first().waitFor()
    await isHarmless('a conversation')
    assert.deepEqual(await violationsInBothThemes(page), [])
  })
})
