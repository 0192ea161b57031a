import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { callerOf, programEntry } from '../../host/test/run/person.ts'
import { noBrowser } from '../../mcp/test/fixtures/browser.ts'
import { violationsInBothThemes } from './axe.ts'
import { openConsole } from './open-page.ts'

describe('servers', { skip: noBrowser }, () => {
  it('one is pasted as text, accepted with its exact command and a code, seen to fail, and mended', async () => {
    const codes: string[] = []
    await using open = await openConsole({
      settings: { policy: { allow: ['one:*'] } },
      path: '/servers/add',
      run: { onAcceptCode: ({ code }) => codes.push(code) },
    })
    const { page, running, faults } = open
    await page.getByLabel('Paste it here').fill(JSON.stringify({ mcpServers: { one: programEntry() } }))
    await page.getByRole('button', { name: 'Look for servers' }).click()
    await page.getByLabel('entry of one').getByText('upstream.ts').waitFor()
    assert.deepEqual(await violationsInBothThemes(page), [])
    await page.getByRole('button', { name: 'Add one' }).click()
    await page.getByRole('heading', { name: 'Not accepted yet' }).waitFor()
    assert.equal(running.host.isAccepted('one'), false)
    await page.getByRole('button', { name: 'Accept this command…' }).click()
    const code = page.getByLabel('The code that the terminal shows')
    await code.waitFor()
    await code.fill(codes[0] ?? '')
    await page.getByRole('button', { name: 'Accept and start' }).click()
    await page.getByText('upstream 1.0.0').waitFor()
    assert.deepEqual(await violationsInBothThemes(page), [])

    await using editor = await callerOf(running)
    await editor.tools.call('one__crash', {})
    await page.getByText('failing', { exact: true }).waitFor()
    await page.getByRole('log').getByText('about to crash').waitFor()
    await page.getByRole('button', { name: 'Start', exact: true }).click()
    await page.getByText('ready', { exact: true }).first().waitFor()
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await page.getByText('stopped by hand').waitFor()
    assert.deepEqual(faults, [])
  })
})
