import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import type { Value } from '../../host/src/config/document/document.ts'
import { editConfigFile } from '../../host/src/config/edit-config-file.ts'
import { killServer } from '../../host/test/run/kill-server.ts'
import { callerOf, programEntry } from '../../host/test/run/person.ts'
import { protectedServer } from '../../host/test/sign-in/protected-server.ts'
import { noBrowser } from '../../mcp/test/fixtures/browser.ts'
import { violationsInBothThemes } from './axe.ts'
import { type OpenConsole, openConsole, startTimeoutMs, visit } from './open-page.ts'
import { treeEntry } from './programs/entry.ts'
import { sharedBrowser } from './shared-browser.ts'

describe('servers', { skip: noBrowser }, () => {
  let open: OpenConsole
  const codes: string[] = []
  const locked = { command: 'locked-server', args: ['--key', '$' + '{secret:locked}'] }
  const go = (path: string) => visit(open.page, path)
  before(async () => {
    open = await openConsole({
      browser: await sharedBrowser(),
      settings: {
        policy: { allow: ['one:*', 'tree:*'] },
        mcpServers: { off: { command: 'off', disabled: true }, locked },
      },
      path: '/servers/add',
      run: { onAcceptCode: ({ code }) => codes.push(code) },
    })
  })
  after(() => open[Symbol.asyncDispose]())

  /** Accepts the server whose screen is open, with the code from the terminal. */
  async function acceptHere(): Promise<void> {
    const { page } = open
    await page.getByRole('heading', { name: 'Not accepted yet' }).waitFor()
    await page.getByRole('button', { name: /^Accept this (?:command|address)…$/ }).click()
    const code = page.getByLabel('The code that the terminal shows')
    await code.waitFor()
    await code.fill(codes.at(-1) ?? '')
    await page.getByRole('button', { name: 'Accept and start' }).click()
  }

  const stateIs = (word: string) =>
    open.page.getByRole('heading', { level: 1 }).locator('..').getByText(word, { exact: true })

  const factOf = (name: string) => open.page.locator(`dt:text-is("${name}") + dd`).innerText()

  /** Three calls, one of which failed, are curves on the screen of their server and in the table of all. */
  async function seeCurves(): Promise<void> {
    const { page } = open
    const words = /^3 calls in the last 10 minutes, 1 failed, p95 [\d.]+ m?s$/
    const curves = page.getByRole('img', { name: words })
    await curves.waitFor()
    await page.locator('figcaption').getByText(words).waitFor()
    // the drawing: both colours on the canvas of calls, and points on that of milliseconds
    await page.waitForFunction(hasDrawn, ['--accent', '--bad'])
    await go('/servers')
    const line = page.getByRole('row', { name: /^one/ }).getByRole('img', { name: words })
    await line.waitFor()
    const [, calls, failures] = await line
      .locator('path')
      .evaluateAll((paths) => paths.map((one) => one.getAttribute('d')))
    assert.match(calls ?? '', /,2\.0/, 'the most calls are at the top')
    assert.match(failures ?? '', /,(?!20\.0)/, 'a failure is above the ground')
    await page.getByRole('link', { name: 'one', exact: true }).click()
    await curves.waitFor()
  }

  it('one is pasted as text, accepted with its exact command and a code, seen to fail, and mended', async () => {
    const { page, running } = open
    const one = programEntry('upstream', { startTimeoutMs })
    await page.getByLabel('Paste it here').fill(JSON.stringify({ mcpServers: { one } }))
    await page.getByRole('button', { name: 'Look for servers' }).click()
    await page
      .getByLabel('entry of one')
      .getByText(/upstream\.(?:ts|mjs)/)
      .waitFor()
    assert.deepEqual(await violationsInBothThemes(page), [])
    await page.getByRole('button', { name: 'Add one' }).click()
    await page.getByRole('heading', { name: 'Not accepted yet' }).waitFor()
    assert.equal(running.host.isAccepted('one'), false)
    await acceptHere()
    await page.getByText('upstream 1.0.0').waitFor()
    assert.deepEqual(await violationsInBothThemes(page), [])

    await using editor = await callerOf(running)
    await editor.tools.call('one__crash', {})
    await stateIs('failed').waitFor()
    await page.getByRole('log').getByText('about to crash').waitFor()
    const band = page.locator('div:has(> strong):has-text("trunkline doctor one")')
    assert.match(await band.innerText(), /about to crash\s+Fix what it complains about, then press Start/)
    await page.getByRole('button', { name: 'Start', exact: true }).click()
    await page.getByText('ready', { exact: true }).first().waitFor()
    for (const text of ['a', 'b']) await editor.tools.call('one__echo', { text })
    await seeCurves()
    // counts come with the next answer about servers
    await page.locator('dt:text-is("Restarts") + dd:text-is("1")').waitFor()
    assert.match(await factOf('Tokens per conversation'), /^about [1-9]\d*$/)
    const ahead = await timesAhead(page, async () => {
      await page.getByRole('button', { name: 'Restart', exact: true }).click()
      await page.locator('dt:text-is("Restarts") + dd:text-is("2")').waitFor()
    })
    assert.deepEqual(ahead, [], 'what has happened does not lie ahead')
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await page.getByText('stopped by hand').waitFor()
  })

  it('those of other clients are shown with each command in full, taken over as text, and start with a code', async () => {
    const { page, running, ann } = open
    const key = 'sk-live-abcdefghijklmnop1234'
    const tree = { ...treeEntry(), env: { TREE_API_KEY: key } }
    const other = { command: 'never-run', args: ['--everything', '/'] }
    mkdirSync(join(ann.home, '.cursor'), { recursive: true })
    writeFileSync(join(ann.home, '.cursor/mcp.json'), JSON.stringify({ mcpServers: { tree, other } }))
    await go('/servers/add')
    await page.getByLabel('command of other').getByText('never-run --everything /').waitFor()
    await page
      .getByLabel('command of tree')
      .getByText(/tree\.(?:ts|mjs)/)
      .waitFor()
    assert.ok(!(await page.content()).includes(key))
    assert.deepEqual(await violationsInBothThemes(page), [])
    await page.getByRole('checkbox', { name: 'other' }).uncheck()
    await page.getByRole('button', { name: 'Take over 1 server' }).click()
    await page.getByRole('link', { name: 'tree', exact: true }).click()
    await acceptHere()
    await page.getByText('tree 1.0.0').waitFor()
    const written = readFileSync(ann.places.userFile, 'utf8')
    assert.match(written, /tree\.(?:ts|mjs)/)
    assert.doesNotMatch(written, /never-run|sk-live/)
    assert.equal(running.host.isAccepted('tree'), true)
  })

  it('a server shows its processes, uptime, instructions line by line, and its death by itself', async () => {
    const { page, running } = open
    const processes = page.getByRole('list', { name: 'Processes' })
    await processes.getByText('helper-of-tree').waitFor()
    assert.ok(await processes.locator('li li').getByText('helper-of-tree').isVisible())
    assert.match(await factOf('Uptime'), /\d/)
    assert.match(await factOf('Revision'), /^\d{4}-\d\d-\d\d$/)
    assert.match(await factOf('Capabilities'), /tools/)
    const said = await page.getByRole('group', { name: 'Instructions' }).innerText()
    assert.equal(said, 'First look.\nThen climb.\n\n  Never fall.')
    assert.deepEqual(await violationsInBothThemes(page), [])
    killServer(running.host.servers.get('tree'))
    await stateIs('failed').waitFor()
    await processes.waitFor({ state: 'detached' })
  })

  it('thousands of lines of stderr leave few elements, and the page says how many it did not keep', async () => {
    const { page, running } = open
    await using editor = await callerOf(running)
    await editor.tools.call('tree__climb', {})
    const log = page.getByRole('log', { name: 'Log of tree' })
    await log.getByText('step 3000', { exact: true }).waitFor()
    await page.getByText(/^2,\d{3} older lines are gone: the last 1,000 are kept/).waitFor()
    assert.equal(await log.locator('> div').count(), 200)
    await log.evaluate((element) => element.scrollTo(0, 0))
    await page.getByRole('button', { name: 'Show 800 earlier lines' }).click()
    await log.getByText('step 2001', { exact: true }).waitFor()
    await editor.tools.call('tree__sway', {})
    const message = log.getByText('bark: the branch is thin')
    await message.waitFor()
    await page.getByLabel('Severity').selectOption('Warnings and errors')
    await log.getByText('swaying').waitFor({ state: 'detached' })
    await page.getByLabel('Search the log').fill('THIN')
    await page.getByText(/^1 of 1,00\d lines$/).waitFor()
    assert.equal(await log.locator('> div').count(), 1)
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download' }).click()
    const saved = readFileSync(await (await download).path(), 'utf8')
    assert.match(saved, /^\S+Z message warning bark: the branch is thin\n$/)
    assert.deepEqual(await violationsInBothThemes(page), [])
  })

  it('what was not used is hidden with one click, and shown again with another', async () => {
    const { page, running } = open
    await using editor = await callerOf(running)
    await editor.tools.call('tree__climb', {})
    // the test before called it too
    await page
      .getByRole('row', { name: /^climb/ })
      .getByText('2', { exact: true })
      .waitFor()
    await page.getByText('trunkline tidy').waitFor()
    await page.getByRole('button', { name: 'Hide 1 unused tool' }).click()
    await page.getByRole('button', { name: 'Show rest' }).waitFor()
    const names = (await editor.tools.list().all()).map(({ name }) => name)
    assert.ok(names.includes('tree__climb') && !names.includes('tree__rest'))
    await page.getByRole('button', { name: 'Show rest' }).click()
    await page.getByRole('button', { name: 'Hide rest' }).waitFor()
  })

  it('a program that lacks a secret names it, and is neither taken for an address nor offered to be accepted', async () => {
    const { page } = open
    await go('/servers')
    const row = page.getByRole('row', { name: /^locked/ })
    await row.getByText(/there is no secret "locked"; keep one: trunkline secret set locked/).waitFor()
    await page.getByText(/^\d servers: .*need.* attention/).waitFor()
    await row.getByRole('link', { name: 'locked' }).click()
    await page.getByRole('heading', { name: 'Something is missing' }).waitFor()
    await page.getByLabel('command').getByText('locked-server --key').waitFor()
    assert.equal(await page.getByText(/elsewhere|Accept this|Sign in|Headers/).count(), 0)
    assert.deepEqual(await violationsInBothThemes(page), [])
  })

  it('one that is disabled is listed, with the entry that says so', async () => {
    const { page } = open
    await go('/servers')
    const row = page.getByRole('row', { name: /^off/ })
    await row.getByText('disabled', { exact: true }).waitFor()
    await row.getByText(/^Its entry at .*trunkline\.json:\d+ has "disabled": true$/).waitFor()
    assert.deepEqual(await violationsInBothThemes(page), [])
  })

  it('one is given its secret, edited, renamed, disabled, enabled and removed, each shown in its file first', async () => {
    const { page, ann } = open
    const text = () => readFileSync(ann.places.userFile, 'utf8')
    const change = page.getByRole('group', { name: `Change to ${ann.places.userFile}` })
    await go('/servers/locked')
    await page.getByLabel('Value of locked').fill('sesame')
    await page.getByRole('button', { name: 'Store' }).click()
    await page.getByRole('heading', { name: 'Not accepted yet' }).waitFor()
    assert.doesNotMatch(text(), /sesame/)

    await page.getByRole('button', { name: 'Edit…' }).click()
    await page.getByLabel('cwd').fill('/tmp')
    await page.getByRole('button', { name: 'Add to env' }).click()
    await page.getByLabel('Name 1 of env').fill('LOCKED_API_KEY')
    await page.getByLabel('LOCKED_API_KEY', { exact: true }).fill('sk-live-abcdefghijklmnop1234')
    await page.getByRole('button', { name: 'Show what changes' }).click()
    await change.getByText('"LOCKED_API_KEY": "secret:locked.LOCKED_API_KEY"').waitFor()
    assert.doesNotMatch(text(), /"cwd"/)
    assert.deepEqual(await violationsInBothThemes(page), [])
    await page.getByRole('button', { name: 'Write this change' }).click()
    await change.waitFor({ state: 'detached' })
    assert.match(text(), /"cwd": "\/tmp"/)
    assert.doesNotMatch(text(), /sk-live/)

    await page.getByRole('button', { name: 'Rename…' }).click()
    await page.getByLabel('New name').fill('open')
    await change.getByText('"open": {').waitFor()
    await page.getByRole('button', { name: 'Rename locked' }).click()
    await page.getByRole('heading', { name: 'open', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Disable…' }).click()
    await page.getByText('Its acceptance and its rules are kept.').waitFor()
    await page.getByRole('button', { name: 'Disable open' }).click()
    await page.getByText(/^Disabled in /).waitFor()
    await page.getByRole('button', { name: 'Enable…' }).click()
    await page.getByRole('button', { name: 'Enable open' }).click()
    await page.getByRole('heading', { name: 'Not accepted yet' }).waitFor()
    await page.getByRole('button', { name: 'Remove…' }).click()
    await page.getByText('Its secrets are kept until you remove them: locked, locked.LOCKED_API_KEY.').waitFor()
    await page.getByRole('button', { name: 'Remove open' }).click()
    await page.getByRole('heading', { name: 'Servers', level: 1 }).waitFor()
    assert.doesNotMatch(text(), /locked/)
  })

  it('several that wait are accepted with one code, each with the command that is shown', async () => {
    const { page, ann, running } = open
    const { userFile } = ann.places
    const entry = programEntry()
    await editConfigFile(userFile, [
      { path: ['mcpServers', 'left'], value: entry as Value },
      { path: ['mcpServers', 'right'], value: entry as Value },
    ])
    await go('/servers')
    const waiting = page.getByRole('list', { name: 'Servers to accept' })
    await waiting.getByLabel('command of right').waitFor()
    await page.getByRole('button', { name: 'Accept these 2 servers…' }).click()
    const code = page.getByLabel('The code that the terminal shows')
    await code.waitFor()
    await code.fill(codes.at(-1) ?? '')
    assert.deepEqual(await violationsInBothThemes(page), [])
    await page.getByRole('button', { name: 'Accept and start' }).click()
    await waiting.waitFor({ state: 'detached' })
    assert.deepEqual([running.host.isAccepted('left'), running.host.isAccepted('right')], [true, true])
  })

  it('one elsewhere is added by a form, and signed in to from the page', async () => {
    await using vault = await protectedServer()
    const { page, faults, running } = open
    await go('/servers/add')
    await page.getByLabel('Name').fill('Vault!')
    await page.getByLabel('Command or address').fill(vault.url)
    await page.getByLabel('Data').selectOption('Private, and written by strangers')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('alert').getByText('it could be "vault"').waitFor()
    await page.getByLabel('Name').fill('vault')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await acceptHere()
    await page.getByText('needs you', { exact: true }).first().waitFor()
    await page.getByText('private and untrusted', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText(new URL(vault.issuer).host).first().waitFor()
    assert.deepEqual(await violationsInBothThemes(page), [])
    const question = running.host.inbox.open.find(({ kind }) => kind === 'sign-in')
    // the request of the person's browser when they open the page
    assert.equal((await fetch(String(question?.detail.page))).status, 200)
    await go('/servers/vault')
    await page.getByText('ready', { exact: true }).first().waitFor()
    await page.getByRole('row', { name: /^read_more/ }).waitFor()
    assert.deepEqual(
      faults.filter((fault) => !fault.includes('400')),
      [],
    )
  })
})

/** True if the first canvas of the page has at least some pixels in each of these colours of the design. */
function hasDrawn(names: readonly string[]): boolean {
  const canvas = document.querySelector('canvas')
  const context = canvas?.getContext('2d')
  if (!canvas || !context || canvas.width === 0) return false
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height)
  return names.every((name) => {
    const probe = document.body.appendChild(document.createElement('span'))
    probe.style.color = `var(${name})`
    const wanted = (getComputedStyle(probe).color.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number)
    probe.remove()
    let pixels = 0
    for (let at = 0; at < data.length; at += 4) {
      const isNear = wanted.every((part, index) => Math.abs((data[at + index] ?? 0) - part) < 12)
      if (isNear && (data[at + 3] ?? 0) > 200) pixels += 1
    }
    return pixels > 5
  })
}

/** Texts of times that lie ahead while something is done, by a clock five seconds past the last tick of the page. */
async function timesAhead(page: Page, work: () => Promise<void>): Promise<readonly string[]> {
  await page.evaluate(() => {
    const now = Date.now.bind(Date)
    const seen: string[] = []
    const look = () => {
      for (const { innerText } of document.querySelectorAll('time')) if (/^in \d/.test(innerText)) seen.push(innerText)
    }
    const observer = new MutationObserver(look)
    observer.observe(document.body, { subtree: true, childList: true, characterData: true })
    Date.now = () => now() + 5_000
    const timesAhead = {
      seen,
      end() {
        observer.disconnect()
        Date.now = now
      },
    }
    const { window } = globalThis
    Object.assign(window, { timesAhead })
  })
  await work()
  return page.evaluate(() => {
    const { timesAhead } = globalThis as unknown as { timesAhead: { seen: string[]; end(): void } }
    timesAhead.end()
    return timesAhead.seen
  })
}
