import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import type { Locator, Route } from 'playwright-core'
import { until } from '../../../tools/lib/until.ts'
import { runCli } from '../../cli/test/run-cli.ts'
import { queryLedger } from '../../host/src/ledger/query.ts'
import { deferred } from '../../host/src/relay/deferred.ts'
import { providerKey, scriptedProvider } from '../../host/test/model/scripted-provider.ts'
import { killServer } from '../../host/test/run/kill-server.ts'
import { programEntry } from '../../host/test/run/person.ts'
import { type SkillServer, skillServer, skillText } from '../../host/test/skills/skill-servers.ts'
import { noBrowser } from '../../mcp/test/fixtures/browser.ts'
import { violationsInBothThemes } from './axe.ts'
import { type OpenConsole, openConsole, visit } from './open-page.ts'
import { kindsEntry, manyEntry } from './programs/entry.ts'
import { sharedBrowser } from './shared-browser.ts'
import { typeOver } from './type-over.ts'

const run = promisify(execFile)
const everything = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js')

describe('tools, resources and prompts', { skip: noBrowser }, () => {
  let open: OpenConsole
  let shop: SkillServer
  const go = (path: string) => visit(open.page, path)
  before(async () => {
    shop = await skillServer('shop', {
      'refunds/SKILL.md': skillText('refunds', '# Refunds\n\nWithin a month.', 'allowed-tools: Bash\n'),
      'refunds/letter.md': 'Dear all',
      'returns/SKILL.md': skillText('returns', 'Send it back.'),
    })
    open = await openConsole({
      browser: await sharedBrowser(),
      settings: {
        mcpServers: {
          one: programEntry(),
          kinds: kindsEntry(),
          everything: { command: process.execPath, args: [everything] },
          shop: { type: 'http', url: shop.spec.launch.kind === 'remote' ? shop.spec.launch.url : '' },
        },
        policy: { allow: ['everything:*'] },
      },
      accepted: ['one', 'kinds', 'everything', 'shop'],
      path: '/tools',
    })
  })
  after(async () => {
    await open[Symbol.asyncDispose]()
    await shop[Symbol.asyncDispose]()
  })

  it('a tool is found over all servers and run from a form with its JSON beside it, in step both ways', async () => {
    const { page } = open
    await page.getByLabel('Search tools').fill('get-sum')
    await page.getByRole('link', { name: /get-sum/ }).click()
    await page.getByLabel('a required').fill('2')
    await page.getByLabel('Arguments as JSON').getByText('"a": 2').waitFor()
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByText('This is required').waitFor()
    await typeOver(page.getByLabel('Arguments as JSON'), '{ "a": 2, "b": 40 }')
    await shows(page.getByLabel('b required'), '40')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByText('The sum of 2 and 40 is 42').waitFor()
    await page.getByText('1 call in 30 days').waitFor()
    assert.deepEqual(await violationsInBothThemes(page), [])
    // the request is kept under a name
    await page.getByLabel('Save the request as').fill('two and forty')
    await page.getByRole('button', { name: 'Save request' }).click()
    await page.getByText('Saved, secrets masked').waitFor()
    await page.getByLabel('b required').fill('41')
    await page.getByLabel('Save the request as').fill('')
    await page.getByLabel('Saved requests').selectOption('two and forty')
    await shows(page.getByLabel('b required'), '40')
    await page.getByRole('button', { name: 'Raw' }).click()
    await page.getByLabel('raw result').getByText('"type": "text"').waitFor()
    await page.getByRole('list', { name: 'Past runs' }).getByRole('button', { name: 'Run again' }).click()
    await page.getByRole('list', { name: 'Past runs' }).getByRole('listitem').nth(1).waitFor()
    await typeOver(page.getByLabel('Arguments as JSON'), '{ "a": 2,')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByText('Fix what is marked first').waitFor()
    assert.equal(await page.getByRole('list', { name: 'Past runs' }).getByRole('listitem').count(), 2)
  })

  it('a call is copied as a command, as curl and as TypeScript, and each of them runs', async () => {
    await go('/tools/kinds/get_size')
    const { page, running, ann } = open
    await page
      .getByLabel('file')
      .setInputFiles({ name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from("it's") })
    await page.getByText('4 bytes').waitFor()
    const copied = async (label: string) => {
      await page.evaluate(() => navigator.clipboard.writeText(''))
      await page.getByRole('button', { name: label }).click()
      const text = () => page.evaluate(() => navigator.clipboard.readText())
      // the copied text comes from the host
      await until(async () => (await text()) !== '', label)
      return text()
    }
    const command = await copied('Copy as command line')
    assert.equal(command, 'trunkline call kinds get_size file=aXQncw==')
    const { token } = await running.host.principals.make({ name: 'command' })
    writeFileSync(join(ann.places.state, 'command-token'), token)
    const env = { HOME: ann.home, TRUNKLINE_TOKEN: (await running.host.principals.make({ name: 'script' })).token }
    const [, ...words] = command.split(' ')
    const called = await runCli(words, { env })
    assert.match(called.stdout, /4 bytes/, `exit ${called.exit}: ${called.stderr}`)
    const shell = { env: { ...process.env, ...env }, cwd: import.meta.dirname }
    const curl = await run('sh', ['-c', await copied('Copy as curl')], shell)
    assert.match(curl.stdout, /4 bytes/)
    const code = ['--input-type=module', '-e', await copied('Copy as TypeScript')]
    assert.match((await run(process.execPath, code, shell)).stdout, /4 bytes/)
  })

  it('calls are saved as tests that "trunkline test" runs', async () => {
    await go('/tools/everything/get-sum')
    const { page, ann } = open
    await typeOver(page.getByLabel('Arguments as JSON'), '{ "a": 2, "b": 40 }')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByText('The sum of 2 and 40 is 42').waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as test' }).click(),
    ])
    await page.getByText('trunkline test get-sum.test.json everything').waitFor()
    const file = join(ann.home, download.suggestedFilename())
    await download.saveAs(file)
    const passed = await runCli(['test', file, 'everything', '--json'], { env: { HOME: ann.home } })
    assert.equal(passed.exit, 0, passed.stdout + passed.stderr)
    assert.equal(JSON.parse(passed.stdout).passed, 1)
    writeFileSync(file, readFileSync(file, 'utf8').replace('is 42', 'is 43'))
    assert.equal((await runCli(['test', file, 'everything'], { env: { HOME: ann.home } })).exit, 2)
  })

  it('a tool runs as a task: its progress, its end after the page was loaded anew, and its cancelling', async () => {
    await go('/tools/kinds/get_slowly')
    const { page } = open
    const tasks = page.getByRole('list', { name: 'Tasks of this tool' })
    await page.getByLabel('steps').fill('200')
    await page.getByRole('button', { name: 'Run as task' }).click()
    await tasks.getByText(/step, \d+ of 200/).waitFor()
    assert.deepEqual(await violationsInBothThemes(page), [])
    await page.reload()
    await tasks.getByText('completed').waitFor()
    await tasks.getByRole('button', { name: 'Show result' }).click()
    await page.getByText('slowly done').waitFor()
    await page.getByLabel('steps').fill('100000')
    await page.getByRole('button', { name: 'Run as task' }).click()
    await tasks.getByRole('button', { name: 'Cancel' }).click()
    await tasks.getByText('cancelled').waitFor()
  })

  it('each kind of answer is shown as what it is, and an error with its data and what to do', async () => {
    await go('/tools/kinds/get_kinds')
    const { page } = open
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByLabel('Result as a diff').getByText('violets are blue').waitFor()
    await page.getByLabel('Result as a table').getByRole('cell', { name: 'Bob' }).waitFor()
    await page.locator('audio').waitFor()
    await page.getByRole('button', { name: 'Show as Markdown' }).click()
    const table = page.getByLabel('Table')
    await table.getByRole('columnheader', { name: 'people' }).waitFor()
    await table.getByRole('cell', { name: '<b>Linz</b>' }).waitFor()
    await table.getByRole('cell', { name: 'a|b' }).waitFor()
    // a link says where it leads, and nothing is asked for before a click
    assert.equal(await table.getByRole('link').innerText(), 'map (maps.example)')
    await page.getByLabel('Markdown').getByText('The plan').waitFor()
    await page.getByText('5 bytes of application/pdf').waitFor()
    assert.deepEqual(await violationsInBothThemes(page), [])
    await page.getByRole('button', { name: 'Read it' }).click()
    await page.getByText('draft number 1').waitFor()
    await go('/tools/kinds/get_error')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByText('The city is not known').waitFor()
    await page.getByLabel('error data').getByText('Linz').waitFor()
    await page.getByText('The server does not take these arguments').waitFor()
    await page.getByRole('link', { name: 'What kinds wrote' }).waitFor()
    assert.deepEqual(await violationsInBothThemes(page), [])
  })

  it('a form asks for values of every kind, and sends them as they were filled in', async () => {
    await go('/tools/kinds/get_journey')
    const { page } = open
    const run = page.getByRole('button', { name: 'Run', exact: true })
    const { y = 0, height = 0 } = (await run.boundingBox()) ?? {}
    assert.ok(y > 0 && y + height <= 860, 'Run is in sight on a long form')
    await run.click()
    await page.getByText('This is required').first().waitFor()
    await page.locator('[aria-invalid="true"]:focus').waitFor()
    await page.getByLabel('Name').fill('Ann')
    assert.equal(await page.getByLabel('class').locator('option:checked').innerText(), 'second')
    await page.getByRole('group', { name: 'extras' }).getByLabel('dog').check()
    await page.getByLabel('leaves').fill('2026-12-24')
    await page.getByLabel('arrives').fill('2026-12-25T08:30:00Z')
    await page.getByLabel('seats').fill('2')
    await page.getByLabel('quiet').check()
    await page.getByLabel('note').fill('By the window\nplease')
    await page.getByRole('group', { name: 'home' }).getByLabel('street').fill('Ring 1')
    await page.getByRole('group', { name: 'home' }).getByLabel('door').fill('7')
    await page.getByRole('button', { name: 'Add work' }).click()
    await page.getByRole('button', { name: 'Leave work out' }).click()
    for (const city of ['Graz', 'Linz', 'Wels']) {
      await page.getByRole('button', { name: 'Add to stops' }).click()
      await page.getByRole('group', { name: 'stops' }).getByLabel('city').last().fill(city)
    }
    await page.getByRole('button', { name: 'Remove stops 2' }).click()
    await page.getByLabel('pays').selectOption('By voucher')
    await page.getByLabel('voucher').fill('12')
    const ticket = { name: 'ticket.txt', mimeType: 'text/plain', buffer: Buffer.from('ok') }
    await page.getByLabel('ticket').setInputFiles(ticket)
    await typeOver(page.getByLabel('more'), '{ "by": ["train"] }')
    assert.deepEqual(await violationsInBothThemes(page), [])
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByRole('button', { name: 'Raw' }).click()
    const raw = JSON.parse(await page.getByRole('group', { name: 'raw result' }).innerText())
    assert.deepEqual(JSON.parse(raw.content[0].text), {
      name: 'Ann',
      class: 'second',
      extras: ['dog'],
      leaves: '2026-12-24',
      arrives: '2026-12-25T08:30:00Z',
      seats: 2,
      quiet: true,
      note: 'By the window\nplease',
      home: { street: 'Ring 1', door: 7 },
      stops: [{ city: 'Graz' }, { city: 'Wels' }],
      pays: { voucher: 12 },
      ticket: 'b2s=',
      more: { by: ['train'] },
    })
    // the JSON is in the form at once
    await typeOver(page.getByLabel('Arguments as JSON'), '{ "name": "Bob", "pays": { "card": "1234" } }')
    await shows(page.getByLabel('Name'), 'Bob')
    await shows(page.getByLabel('card'), '1234')
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

  it('a server that dies leaves the form, the result and the history, and is back for the next call', async () => {
    await go('/tools/everything/get-sum')
    const { page, running } = open
    await page.getByLabel('a required').fill('20')
    await page.getByLabel('b required').fill('3')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByText('The sum of 20 and 3 is 23').waitFor()
    killServer(running.host.servers.get('everything'))
    await page.getByRole('link', { name: /Servers.*1 server needs attention/ }).waitFor()
    assert.equal(await page.getByLabel('b required').inputValue(), '3')
    await page.getByText('The sum of 20 and 3 is 23').waitFor()
    assert.equal(await page.getByRole('list', { name: 'Past runs' }).getByRole('listitem').count(), 1)
    await page.getByLabel('b required').fill('4')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByText('The sum of 20 and 4 is 24').waitFor()
    await page.getByRole('list', { name: 'Past runs' }).getByRole('listitem').nth(1).waitFor()
  })

  it('a failed tool never reads OK, a picture is shown as one, and JSON as a tree', async () => {
    await go('/tools/everything/get-structured-content')
    const { page } = open
    await page.getByLabel('location').selectOption('Chicago')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByLabel('Result as a tree').getByText('humidity').first().waitFor()
    await go('/tools/everything/get-tiny-image')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByRole('img', { name: 'Result of type image/png' }).waitFor()
    await go('/tools/one/crash')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    const [question] = await Promise.all([waiting(open), page.getByText('This call asks first').waitFor()])
    await open.running.host.inbox.answer(question, { choice: 'once', by: 'terminal' }, { isLocal: true })
    await page.getByText('The tool failed').waitFor()
    assert.equal(await page.getByText('OK', { exact: true }).count(), 0)
  })

  it('a prompt is filled in, with what the server proposes in the light of what was filled in before', async () => {
    await go('/prompts/everything/args-prompt')
    const { page } = open
    await page.getByLabel('city').fill('Graz')
    await page.getByRole('button', { name: 'Fill in' }).click()
    await page.getByText(/weather in Graz/).waitFor()
    assert.deepEqual(await violationsInBothThemes(page), [])
    await go('/prompts/everything/completable-prompt')
    const proposed = (value: string) => page.locator(`datalist option[value="${value}"]`).waitFor({ state: 'attached' })
    await page.getByLabel('department').fill('S')
    await proposed('Sales')
    await page.getByLabel('department').fill('Sales')
    await page.getByLabel('name').fill('E')
    await proposed('Eve')
  })

  it('resources of all servers are searched at once and read, templates are filled in with what the server proposes', async () => {
    await go('/resources')
    const { page, faults } = open
    await page.getByRole('link', { name: /Draft/ }).waitFor()
    // one that has none is not asked, so nothing is recorded as failed
    assert.deepEqual(queryLedger(open.running.host.store, { server: 'one', target: 'resources' }), [])
    await page.getByLabel('Search resources').fill('architecture')
    await page.getByRole('link', { name: /architecture\.md/ }).click()
    await page.getByLabel('Markdown').waitFor()
    assert.deepEqual(await violationsInBothThemes(page), [])
    await page.getByLabel('Search resources').fill('city')
    await page.getByRole('link', { name: /city:/ }).click()
    const proposals = page.locator('datalist option')
    await page.getByLabel('country').fill('france')
    await page.getByLabel('city').fill('L')
    await page.waitForFunction(() => document.querySelector('datalist option[value="Lyon"]'))
    assert.ok((await proposals.count()) >= 2)
    await page.getByLabel('city').fill('Lyon')
    await page.getByRole('button', { name: 'Read', exact: true }).click()
    await page.getByText('Lyon in france').waitFor()
    assert.deepEqual(faults, [])
  })

  it('skills are listed with their server and read file by file, and their questions say that they are about a skill', async () => {
    await go('/resources')
    const { page, running, faults } = open
    await page.getByLabel('Search resources').fill('refunds')
    await page.getByText('0 resources found').waitFor()
    await go('/skills')
    await page.getByLabel('Search skills').fill('refunds')
    await page.getByRole('link', { name: 'refunds · shop' }).click()
    await page.getByText('How refunds is done.').waitFor()
    await page.locator('dt:has-text("allowed-tools") + dd').getByText('Bash', { exact: true }).waitFor()
    const unread = { server: 'shop', target: 'skill://refunds/SKILL.md' }
    assert.deepEqual(queryLedger(running.host.store, unread), [], 'it is not read before a person wants it')
    await page.getByRole('button', { name: 'Read SKILL.md' }).click()
    await page.getByRole('heading', { name: 'console wants to read the skill refunds of shop' }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Edit', exact: true }).count(), 0)
    assert.deepEqual(await violationsInBothThemes(page), [])
    await page.getByRole('button', { name: 'Allow for this session' }).click()
    await page.getByText('Within a month.').waitFor()
    await page.getByRole('button', { name: 'Read letter.md' }).click()
    await page.getByText('Dear all').waitFor()
    const client = await running.host.clientOf('shop', 'console')
    const refused = assert.rejects(client.request('resources/read', { uri: 'skill://returns/SKILL.md' }), /refused/)
    await go('/inbox')
    await page.getByRole('link', { name: /Skill returns/ }).click()
    await page.getByRole('heading', { name: 'console wants to read the skill returns of shop' }).waitFor()
    await page.getByRole('button', { name: 'Refuse' }).first().click()
    await refused
    assert.deepEqual(faults, [])
  })

  it('an open preview shows a change from before it was watched, renews itself, and what is new in a list is marked', async () => {
    const { page, running } = open
    const watch = deferred<Route>()
    await page.route('**/api/servers/kinds/resources/watch', watch.resolve, { times: 1 })
    await go('/resources/kinds/note:draft')
    const client = await running.host.clientOf('kinds', 'console')
    await page.getByText('renews itself').waitFor()
    await page.getByText('draft number 1').waitFor()
    const held = await watch.promise
    await client.request('tools/call', { name: 'get_draft_changed', arguments: {} })
    await held.continue()
    await page.getByText('draft number 2').waitFor()
    await client.request('tools/call', { name: 'get_draft_changed', arguments: {} })
    await page.getByText('draft number 3').waitFor()
    await page.getByText(/^renewed/).waitFor()
    await client.request('tools/call', { name: 'get_one_more', arguments: {} })
    await page.getByRole('link', { name: /One more new/ }).click()
    await page.getByLabel('text', { exact: true }).getByText('more').waitFor()
    await page.getByRole('link', { name: /One more new/ }).waitFor({ state: 'detached' })
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
  it('are searched while one types, only those that are seen are drawn, and a chat names their server', async () => {
    await using provider = await scriptedProvider({ text: ['Enough of them'] })
    await using open = await openConsole({
      browser: await sharedBrowser(),
      settings: {
        mcpServers: { many: manyEntry(), one: programEntry() },
        models: { best: { provider: 'compatible', url: provider.url, key: `\${KEY}` } },
      },
      accepted: ['many', 'one'],
      environment: { KEY: providerKey },
      path: '/tools',
    })
    const { page } = open
    await page.getByText('10,006 tools').first().waitFor()
    assert.ok((await page.evaluate(() => document.querySelectorAll('*').length)) < 2_000)
    // one line each, below the head of their server, which stays in sight
    const list = page.getByRole('list', { name: 'tools' })
    const row = await page
      .getByRole('link', { name: /^tool-/ })
      .first()
      .boundingBox()
    assert.ok((row?.height ?? 99) <= 26, 'twice as many as with two lines each')
    await list.evaluate((rows) => rows.parentElement?.scrollTo({ top: 130_000 }))
    await page
      .getByRole('link', { name: /^tool-5/ })
      .first()
      .waitFor()
    const [head, scroll] = [list.getByRole('heading', { name: 'many 10,000' }), list.locator('xpath=..')]
    assert.equal(Math.round((await head.boundingBox())?.y ?? 0), Math.round((await scroll.boundingBox())?.y ?? 1))
    await page.getByLabel('Search tools').fill('tool-9876')
    await page.getByRole('link', { name: /^tool-9876/ }).waitFor()
    assert.ok((await page.evaluate(() => document.querySelectorAll('*').length)) < 2_000)
    await visit(page, '/chat')
    await page.getByLabel('What you want').fill('Hello')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('Enough of them', { exact: true }).first().waitFor()
    const note = page.getByText(/^The model is not told of [\d,]+ tools: there are too many \([\d,]+ of many\)\./)
    await note.waitFor()
    // it stays for a page that is opened when the answer has ended
    await page.reload()
    await note.waitFor()
    assert.match(JSON.stringify(provider.seen[0]?.body.tools), /"one__echo"/)
  })
})

/** Waits until a field has this value. */
async function shows(field: Locator, value: string): Promise<void> {
  await field
    .page()
    .waitForFunction(([input, expected]) => (input as HTMLInputElement | null)?.value === expected, [
      await field.elementHandle(),
      value,
    ] as const)
}
