import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type Client, connect, server } from '@trunkline/mcp'
import { toNode } from '@trunkline/mcp/node'
import { z } from 'zod'
import { until } from '../../../tools/lib/until.ts'
import { commandPath as command } from '../../cli/test/command-path.ts'
import { textOf } from '../../host/test/gateway/running-host.ts'
import { answer, callerOf, programEntry, questionOf } from '../../host/test/run/person.ts'
import { noBrowser } from '../../mcp/test/fixtures/browser.ts'
import { violationsInBothThemes } from './axe.ts'
import { type OpenConsole, openConsole, visit } from './open-page.ts'
import { sharedBrowser } from './shared-browser.ts'

const fiveMegabytes = 5 * 1024 ** 2

/** A text in which every place can be told from every other. */
function numbered(length: number): string {
  const lines = Array.from({ length: Math.ceil(length / 20) }, (_, index) => `line ${String(index).padStart(13)}\n`)
  return lines.join('').slice(0, length)
}

const remote = server({ name: 'remote', version: '1.0.0' })
  .tool('say', { input: z.object({ text: z.string() }), annotations: { readOnlyHint: true } }, ({ text }) => text)
  .tool('large', { annotations: { readOnlyHint: true } }, () => numbered(fiveMegabytes))

/** One with a handshake, which asks in the middle of a call and whose sessions can be lost. */
const talks = () =>
  server({ name: 'talks', version: '1.0.0', revisions: ['2025-11-25'] }).tool(
    'choose',
    { annotations: { readOnlyHint: true } },
    async (_input, ctx) => (await ctx.elicit('Which one?', z.object({ which: z.string() }))).which,
  )

describe('activity', { skip: noBrowser }, () => {
  let open: OpenConsole
  let editor: Client
  const sayer = toNode(remote)
  let talker = toNode(talks())
  const http = createServer((request, response) =>
    (request.url?.startsWith('/talks') ? talker : sayer)(request, response),
  )
  const go = (path: string) => visit(open.page, path)
  before(async () => {
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
    const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
    open = await openConsole({
      browser: await sharedBrowser(),
      settings: {
        mcpServers: {
          one: programEntry(),
          remote: { url: `${origin}/mcp`, headers: { 'X-Key': 'hush-hush' } },
          talks: { url: `${origin}/talks` },
        },
        policy: { allow: ['one:echo', 'one:crash', 'remote:*'] },
      },
      accepted: ['one', 'remote', 'talks'],
      path: '/activity',
    })
    await open.page.getByRole('heading', { name: 'Activity' }).waitFor()
    // messages are kept from the moment in which the page follows events
    await until(() => open.running.host.wire.log.isOpen)
    editor = await callerOf(open.running, 'editor', {
      elicitation: () => ({ action: 'accept', content: { which: 'the red one' } }),
    })
  })
  after(async () => {
    await editor?.close()
    await open[Symbol.asyncDispose]()
    http.close()
    http.closeAllConnections()
  })

  it('shows JSON-RPC and HTTP of both hops beside each other, what the gateway changed marked, secrets masked', async () => {
    const { page } = open
    await editor.tools.call('remote__say', { text: 'hello', token: 'abc' })
    await page.getByRole('list', { name: 'Calls' }).getByRole('button', { name: /say/ }).click()
    const asked = page.getByRole('group', { name: 'The client asked' })
    const sent = page.getByRole('group', { name: 'The server was asked' })
    await asked.getByText('"name": "remote__say"').waitFor()
    assert.match(await sent.innerText(), /changed:\s+"name": "say"/)
    assert.match(await sent.innerText(), /"text": "hello"/)
    assert.match(await asked.innerText(), /"token": "\[masked\]"/)
    await page
      .getByRole('group', { name: /The client was answered/ })
      .getByText('"hello"')
      .waitFor()
    const passed = page.getByRole('list', { name: 'Everything that passed' })
    await passed.getByText('client, HTTP').waitFor()
    await passed.getByText('server, HTTP').click()
    await passed.getByText('x-key: [masked]').waitFor()
    assert.doesNotMatch(await page.content(), /hush-hush|"abc"/)
    assert.deepEqual(await violationsInBothThemes(page), [])
  })

  it('filters stay while acts are looked at; pause says how many came meanwhile', async () => {
    const { page } = open
    const acts = page.getByRole('list', { name: 'Calls' })
    await acts.getByRole('button', { name: /say/ }).focus()
    await editor.tools.call('one__echo', { text: 'first' })
    await acts.getByRole('button', { name: /echo/ }).waitFor()
    // a row stays the same call while others come above it
    assert.match(await page.locator(':focus').innerText(), /say/)
    await page.getByLabel('Server', { exact: true }).selectOption('one')
    await acts.getByRole('button', { name: /say/ }).waitFor({ state: 'detached' })
    await acts.getByRole('button', { name: /echo/ }).click()
    await page.getByRole('heading', { name: 'one echo' }).waitFor()
    assert.equal(await page.getByLabel('Server', { exact: true }).inputValue(), 'one')
    await page.getByLabel('Server', { exact: true }).selectOption('')
    await acts.getByRole('button', { name: /say/ }).waitFor()
    await page.getByLabel('Search calls').fill('remote ok')
    await acts.getByRole('button', { name: /echo/ }).waitFor({ state: 'detached' })
    await acts.getByRole('button', { name: /say/ }).waitFor()
    await page.getByLabel('Search calls').fill('')
    await page
      .getByRole('img', { name: /^\d+ calls in the last 10 minutes, 0 failed, p50 .* p95 .* without/ })
      .waitFor()
    await page.getByRole('button', { name: 'Pause' }).click()
    for (const text of ['a', 'b', 'c']) await editor.tools.call('one__echo', { text })
    await page.getByRole('button', { name: 'Go on (3 more came)' }).click()
    await page.getByRole('button', { name: 'Pause' }).waitFor()
  })

  it('the waterfall shows what waited for a person, restarts, questions, rounds and retries; by keyboard alone', async () => {
    const { page, running } = open
    const asked = questionOf(running, 'call')
    const call = editor.tools.call('one__write', { text: 'a' })
    await answer(running, await asked, 'once')
    await call
    await editor.tools.call('one__crash', {}).catch(() => {})
    assert.equal(textOf(await editor.tools.call('talks__choose', {})), 'the red one')
    // it knows no session any more, so the call is sent once more
    talker = toNode(talks())
    assert.equal(textOf(await editor.tools.call('talks__choose', {})), 'the red one')
    await page.getByRole('button', { name: 'Waterfall' }).focus()
    await page.keyboard.press('Enter')
    const waterfall = page.getByRole('region', { name: 'Waterfall' })
    await waterfall.getByText(/starts?.*failed/).waitFor()
    await waterfall.getByRole('button', { name: /choose.*2 rounds, 1 question/ }).waitFor()
    await waterfall.getByRole('button', { name: /choose.*2 rounds, 1 retry, 1 question/ }).waitFor()
    for (const name of ['one', 'remote', 'talks']) await waterfall.getByRole('heading', { name, exact: true }).waitFor()
    const written = waterfall.getByRole('button', { name: /write.*for a person/ })
    await written.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'one write' }).waitFor()
    await waterfall.waitFor()
    assert.deepEqual(await violationsInBothThemes(page), [])
    await page.getByRole('button', { name: 'Waterfall' }).click()
  })

  it('is saved as a recording that "trunkline replay" plays, and as traces of OpenTelemetry', async () => {
    const { page, ann } = open
    await page.getByRole('button', { name: 'Save…' }).click()
    await page.getByLabel('Recording of a server').selectOption('remote')
    assert.deepEqual(await violationsInBothThemes(page), [])
    const [recording] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save recording' }).click(),
    ])
    assert.equal(recording.suggestedFilename(), 'remote.jsonl')
    const file = join(ann.home, 'remote.jsonl')
    writeFileSync(file, readFileSync(await recording.path()))
    assert.doesNotMatch(readFileSync(file, 'utf8'), /hush-hush/)
    await using replayed = await connect({ command: process.execPath, args: [command, 'replay', file] })
    assert.equal(textOf(await replayed.tools.call('say', { text: 'hello', token: 'abc' })), 'hello')
    const [traces] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save traces' }).click(),
    ])
    const { resourceSpans } = JSON.parse(readFileSync(await traces.path(), 'utf8'))
    const names = resourceSpans[0].scopeSpans[0].spans.map(({ name }: { name: string }) => name)
    for (const name of ['call say', 'request tools/call', 'waits for a person']) assert.ok(names.includes(name), name)
    await page.getByRole('button', { name: 'Save…' }).click()
  })

  it('more than a page keeps is said with its number, and few elements are drawn', async () => {
    const { page, running } = open
    const line = { kind: 'ended', actKind: 'call', principal: 'editor', server: 'one', target: 'echo' } as const
    const acts = Array.from({ length: 5_200 }, (_, index) => `many-${index}`)
    await Promise.all(acts.map((act) => running.host.ledger.append({ ...line, act, outcome: 'ok', ms: 1 })))
    // lines that the page dropped, and those that the host did not send because it read too slowly
    await page
      .getByText(/\d (?:older ones are only in the ledger|events came faster than this page could read)/)
      .waitFor()
    assert.ok((await page.evaluate(() => document.querySelectorAll('*').length)) < 2_000)
  })

  it('yesterday at three: a day, a range picked on the chart, words of arguments, and the act by its link', async () => {
    const { page, running } = open
    const acts = page.getByRole('list', { name: 'Calls' })
    const { ledger, store } = running.host
    await go('/activity')
    const yesterday = new Date(new Date().setHours(0, 0, 0, 0) - 12 * 3_600_000).setHours(0, 0, 0, 0)
    for (const [hour, city] of [
      [9, 'Bergen'],
      [15, 'Oslo'],
    ] as const) {
      const line = { kind: 'ended', actKind: 'call', principal: 'editor', server: 'remote', target: 'say' } as const
      const payload = { level: 'full', arguments: { text: `a letter to ${city}` }, result: { content: [] } } as const
      await ledger.append({ ...line, act: `at ${hour}`, outcome: 'ok', ms: 40 }, payload)
      const set = store.database.prepare('UPDATE ledger_line SET at = ? WHERE act = ?')
      set.run(yesterday + hour * 3_600_000 + 40, `at ${hour}`)
    }
    await page.getByLabel('When').selectOption('Yesterday')
    await page.getByRole('img', { name: /^2 calls from .*, 0 failed, p50 40 ms/ }).waitFor()
    await acts.getByRole('heading', { name: /^Yesterday, / }).waitFor()
    const strip = page
      .getByRole('img', { name: /^2 calls from/ })
      .locator('svg')
      .first()
    const { x, y, width, height } = (await strip.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    assert.equal(Math.round(height), 40)
    await page.mouse.move(x + width * 0.6, y + 20)
    await page.mouse.down()
    await page.mouse.move(x + width * 0.65, y + 20)
    await page.mouse.up()
    await page.getByRole('img', { name: /^1 call from .* 14:\d\d to .* 15:\d\d, 0 failed/ }).waitFor()
    await page.getByText('1 call shown').waitFor()
    await acts.getByRole('button', { name: /^15:00:00.*say/ }).waitFor()
    await page.getByLabel('When').selectOption('Live')
    await page.getByLabel('Search calls').fill('letter oslo')
    await acts.getByRole('button', { name: /^15:00:00.*say/ }).waitFor()
    await page.getByText('1 call shown').waitFor()
    await page.getByLabel('Search calls').press('ArrowDown')
    await page.setViewportSize({ width: 390, height: 800 })
    const row = acts.getByRole('button', { name: /say/ })
    // the list is drawn anew for the width
    await until(async () => {
      const [tool, time] = await Promise.all([
        row.locator('strong').boundingBox(),
        row.getByText('15:00:00').boundingBox(),
      ])
      return tool !== null && time !== null && tool.y < time.y && tool.x === time.x && tool.width > 20
    }, 'a row with the tool first')
    assert.deepEqual(await violationsInBothThemes(page), [])
    await page.setViewportSize({ width: 1280, height: 800 })
    await row.click()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy link' }).click()
    await page.getByRole('button', { name: 'Copy link' }).getByText('Copied').waitFor()
    const link = await page.evaluate(() => navigator.clipboard.readText())
    assert.equal(link, new URL('/activity/at%2015', running.host.url).href, 'nothing else is in it')
    await page.goto(link)
    await page.getByRole('heading', { name: 'remote say' }).waitFor()
    await page.getByRole('group', { name: 'Asked for by the client' }).getByText('a letter to Oslo').waitFor()
  })

  it('a recorded call is replayed edited, its arguments are saved under a name, and the list is saved as CSV', async () => {
    const { page } = open
    await page.getByRole('button', { name: 'Replay…' }).click()
    await page.getByRole('textbox', { name: 'text' }).fill('a letter to Narvik')
    await page.getByLabel('Save the request as').fill('north')
    await page.getByRole('button', { name: 'Save request' }).click()
    await page.getByLabel('Saved requests').selectOption('north')
    await page.getByRole('button', { name: 'Run again' }).click()
    await page.getByRole('status').getByText('The result is here').waitFor({ state: 'attached' })
    await page.getByLabel('Search calls').fill('narvik')
    await page.getByText('1 call shown').waitFor()
    assert.deepEqual(await violationsInBothThemes(page), [])
    await page.getByRole('button', { name: 'Save…' }).click()
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as CSV' }).click(),
    ])
    assert.match(readFileSync(await saved.path(), 'utf8'), /^time,client,.*\r\n[\dT:.Z-]+,console,remote,say,call,ok,/)
    await page.getByRole('button', { name: 'Save…' }).click()
    await page.getByLabel('Search calls').fill('one write ended')
    await page.getByRole('list', { name: 'Calls' }).getByRole('button', { name: /write/ }).click()
    await page.getByRole('heading', { name: 'editor wants to call write' }).waitFor()
    await page.getByText(/^Allowed once by .* after it was asked$/).waitFor()
    await page.getByRole('group', { name: 'The question was about' }).getByText('"text": "a"').waitFor()
  })

  it('every character of a result of 5 MB can be reached, and downloaded', async () => {
    const { page, faults } = open
    await go('/tools/remote/large')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    const text = page.getByRole('group', { name: 'text' })
    await text.waitFor()
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download text' }).click(),
    ])
    assert.equal(readFileSync(await saved.path(), 'utf8'), numbered(fiveMegabytes))
    const far = '150000'
    await page.getByRole('searchbox', { name: 'Find in text' }).fill(far)
    await page.keyboard.press('Enter')
    await page.getByText('1 of 1', { exact: true }).waitFor()
    assert.equal(await text.locator('mark').innerText(), far)
    await page.getByRole('button', { name: 'First' }).click()
    const seen = await page.evaluate(async () => {
      const button = (name: string) =>
        [...document.querySelectorAll('button')].find(({ textContent }) => textContent === name)
      const shown = () => document.querySelector('[role="group"][aria-label="text"]')?.textContent ?? ''
      let all = shown()
      while (button('Next')?.disabled === false) {
        button('Next')?.click()
        // a click is worked on before the next task; to wait for frames would paint every part
        await Promise.resolve()
        all += shown()
      }
      return all
    })
    assert.equal(seen, numbered(fiveMegabytes))
    assert.ok((await page.evaluate(() => document.querySelectorAll('*').length)) < 2_000)
    assert.deepEqual(faults, [])
  })
})
