/** Makes the pictures of the console in `docs/images`: `node packages/console/test/make-screenshots.ts`. */
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { callerOf, programEntry } from '../../host/test/run/person.ts'
import { openConsole } from './open-page.ts'

const everything = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js')
const pictureOf = (name: string) => fileURLToPath(new URL(`../../../docs/images/console-${name}.png`, import.meta.url))

await using open = await openConsole({
  settings: {
    mcpServers: {
      notes: programEntry(),
      everything: { command: process.execPath, args: [everything] },
      billing: { url: 'https://billing.example/mcp' },
    },
    policy: { deny: ['notes:crash'] },
  },
  accepted: ['notes', 'everything'],
})
const { page, running } = open
await using editor = await callerOf(running, 'claude-code')
const go = async (path: string) => {
  await page.goto(new URL(path, running.host.url).href)
  await page.getByRole('heading', { level: 1 }).waitFor()
}

for (const text of ['Buy milk', 'Call Ann', 'Water the plants']) await editor.tools.call('notes__echo', { text })
await editor.tools.call('notes__crash', {})
await page.getByText('ready').first().waitFor()
await page.screenshot({ path: pictureOf('servers') })

await go('/inbox')
for (const text of ['Dear Ann,\nthe invoice is paid.', 'Dear Ann,\nthe invoice is paid twice.']) {
  const call = editor.tools.call('notes__write', { text })
  const waiting = page.getByRole('list', { name: 'Questions that wait' })
  await waiting.getByRole('link', { name: /write/ }).click()
  await page.getByRole('heading', { name: 'claude-code wants to call write' }).waitFor()
  if (text.endsWith('twice.')) {
    await page.getByText('Compared with the last call').waitFor()
    await page.screenshot({ path: pictureOf('inbox') })
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Arguments', { exact: true }).fill('{ "text": "Dear Ann, the invoice is paid once." }')
    await page.getByRole('button', { name: 'Allow once, as edited' }).click()
  } else await page.getByRole('button', { name: 'Allow once' }).click()
  await call
}

await go('/activity')
await page.getByRole('list', { name: 'Acts' }).getByRole('button', { name: /write/ }).first().click()
await page.getByRole('heading', { name: 'Sent to the server' }).waitFor()
await page.screenshot({ path: pictureOf('activity') })

await go('/tools/everything/get-structured-content')
await page.getByLabel('location').selectOption({ index: 1 })
await page.getByRole('button', { name: 'Run', exact: true }).click()
await page.getByRole('heading', { name: 'History' }).waitFor()
await page.emulateMedia({ colorScheme: 'dark' })
await page.screenshot({ path: pictureOf('tools') })
