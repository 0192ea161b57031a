import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { textOf } from '../../host/test/gateway/running-host.ts'
import { callerOf, programEntry } from '../../host/test/run/person.ts'
import { noBrowser } from '../../mcp/test/fixtures/browser.ts'
import { violationsInBothThemes } from './axe.ts'
import { openConsole } from './open-page.ts'
import { asksEntry } from './programs/entry.ts'

describe('the inbox', { skip: noBrowser }, () => {
  it('leads from a question to its effect: compared with the last call, edited, allowed, and told to the caller', async () => {
    await using open = await openConsole({
      settings: { mcpServers: { one: programEntry() } },
      accepted: ['one'],
      path: '/inbox',
    })
    const { page, running, faults } = open
    await using editor = await callerOf(running)
    await page.getByText('Nothing waits for you').waitFor()

    const first = editor.tools.call('one__write', { text: 'a' })
    await page.getByRole('heading', { name: 'editor wants to call write' }).waitFor()
    assert.equal(await page.title(), '(1) Inbox · Trunkline')
    await page.getByRole('button', { name: 'Allow once' }).click()
    assert.equal(textOf(await first), 'a')
    await page.getByText('Nothing waits for you').waitFor()

    const second = editor.tools.call('one__write', { text: 'b' })
    await page.getByText('Compared with the last call that ran').waitFor()
    const compared = page.getByLabel('Arguments, compared')
    assert.match(await compared.innerText(), /removed: "text": "a"|"text": "a"/)
    assert.deepEqual(await violationsInBothThemes(page), [])
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Arguments', { exact: true }).fill('{ "text": "c" }')
    await page.getByRole('button', { name: 'Allow once, as edited' }).click()
    assert.match(textOf(await second), /A person changed the arguments.*\nc$/s)
    assert.deepEqual(faults, [])
  })

  it('refuses with a sentence that the caller reads', async () => {
    await using open = await openConsole({
      settings: { mcpServers: { one: programEntry() } },
      accepted: ['one'],
      path: '/inbox',
    })
    const { page, running } = open
    await using editor = await callerOf(running)
    const call = editor.tools.call('one__write', { text: 'a' })
    await page.getByLabel(/A sentence for the caller/).fill('use the staging database')
    await page.getByRole('button', { name: 'Refuse' }).click()
    assert.match(textOf(await call), /refused this call: use the staging database/)
    await page.getByRole('list', { name: 'Questions that were settled' }).getByText('console').waitFor()
  })

  it('shows the rule of "always" before it is made, and makes exactly that', async () => {
    await using open = await openConsole({
      settings: { mcpServers: { one: programEntry() } },
      accepted: ['one'],
      path: '/inbox',
    })
    const { page, running, ann } = open
    await using editor = await callerOf(running)
    const call = editor.tools.call('one__write', { text: 'a' })
    await page.getByRole('button', { name: 'Always…' }).click()
    await page.getByText('allow one:write').waitFor()
    await page.getByText(ann.places.userFile).first().waitFor()
    assert.doesNotMatch(readFileSync(ann.places.userFile, 'utf8'), /one:write/)
    await page.getByRole('button', { name: 'Make this rule and allow' }).click()
    assert.equal(textOf(await call), 'a')
    assert.match(readFileSync(ann.places.userFile, 'utf8'), /"allow":[^\]]*"one:write"/)
    assert.equal(textOf(await editor.tools.call('one__write', { text: 'b' })), 'b')
  })

  it('a server starts with its exact command and a code that only the terminal shows', async () => {
    const codes: string[] = []
    await using open = await openConsole({
      settings: { mcpServers: { one: programEntry() } },
      path: '/inbox',
      run: { onAcceptCode: ({ code }) => codes.push(code) },
    })
    const { page, running } = open
    await page.getByRole('heading', { name: 'May one be started?' }).waitFor()
    await page.getByLabel('command').getByText('upstream.ts').waitFor()
    assert.deepEqual(await violationsInBothThemes(page), [])
    await page.getByRole('button', { name: 'Accept this command…' }).click()
    await page.getByLabel('The code that the terminal shows').fill('wrong1')
    await page.getByRole('button', { name: 'Accept and start' }).click()
    await page.getByRole('alert').getByText('This is not the code').waitFor()
    assert.equal(running.host.isAccepted('one'), false)
    await page.getByLabel('The code that the terminal shows').fill(codes[0] ?? '')
    await page.getByRole('button', { name: 'Accept and start' }).click()
    await page.getByText('Nothing waits for you').waitFor()
    assert.equal(running.host.isAccepted('one'), true)
  })

  it('a form is checked before it is sent, and a page shows where it really leads', async () => {
    await using open = await openConsole({
      settings: { mcpServers: { asks: asksEntry() }, policy: { allow: ['asks:*'] } },
      accepted: ['asks'],
      path: '/inbox',
    })
    const { page, running, faults } = open
    await using editor = await callerOf(running)
    const filled = editor.tools.call('asks__form', {})
    await page.getByRole('heading', { name: 'asks asks you something' }).waitFor()
    await page.getByLabel('Name').fill('A')
    await page.getByLabel('E-mail').fill('nobody')
    await page.getByRole('button', { name: 'Send to asks' }).click()
    await page.getByText('At least 2 characters').waitFor()
    await page.getByText('This is not an e-mail address').waitFor()
    assert.deepEqual(await violationsInBothThemes(page), [])
    await page.getByLabel('Name').fill('Ann')
    await page.getByLabel('E-mail').fill('ann@example.com')
    await page.getByRole('button', { name: 'Send to asks' }).click()
    // the default is as declared, and what was left empty is not sent
    assert.deepEqual(JSON.parse(textOf(await filled)), { name: 'Ann', email: 'ann@example.com', dry: true })

    const visited = editor.tools.call('asks__page', {})
    await page.getByText('may look like them').waitFor()
    assert.equal(await page.locator('mark').first().innerText(), 'а')
    await page.getByRole('button', { name: 'Refuse' }).click()
    assert.match(textOf(await visited), /answered "decline"/)
    assert.deepEqual(faults, [])
  })
})
