/** The main screens with something to see on them: a host with servers from npm, and what a day leaves behind. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Client } from '@trunkline/mcp'
import { until } from '../../../tools/lib/until.ts'
import { providerKey, type ScriptedProvider, scriptedProvider } from '../../host/test/model/scripted-provider.ts'
import { callerOf } from '../../host/test/run/person.ts'
import { type OpenConsole, openConsole } from './open-page.ts'

/** One screen, brought to where it is worth a picture. */
export interface Scene {
  readonly name: string
  readonly path: string
  /** Height of the shown part of the screen. @default 860 */
  readonly height?: number
  /** Actions of a person before the picture. */
  arrange?(open: Work): Promise<unknown>
}

const npm = createRequire(import.meta.url)
const program = (name: string, ...args: string[]) => ({
  command: process.execPath,
  args: [npm.resolve(`@modelcontextprotocol/server-${name}/dist/index.js`), ...args],
})

const failing = 'console.error("Error: connect ECONNREFUSED 127.0.0.1:5432"); process.exit(1)'

/** A console, a client that works through the host, and the model of the chat. */
export interface Work extends OpenConsole {
  readonly editor: Client
  readonly provider: ScriptedProvider
}

/** Opens a console that has been worked with. */
export async function openWithWork(folder: string, { isForLooking = false } = {}): Promise<Work> {
  const notes = join(folder, 'notes')
  mkdirSync(notes, { recursive: true })
  writeFileSync(join(notes, 'today.md'), '# Today\n\n- Call Ann\n- Water the plants\n')
  const provider = await scriptedProvider()
  const open = await openConsole({
    environment: { KEY: providerKey },
    settings: {
      models: { best: { provider: 'compatible', url: provider.url, key: `\${KEY}` } },
      mcpServers: {
        files: { ...program('filesystem', notes), cwd: notes },
        memory: program('memory'),
        everything: program('everything'),
        billing: { url: 'https://billing.example/mcp' },
        ...(isForLooking && { broken: { command: process.execPath, args: ['-e', failing] } }),
      },
      policy: {
        allow: ['everything:*', 'files:write_file{path=*.draft}'],
        ask: ['files:write_file'],
        deny: ['memory:delete_*'],
      },
    },
    accepted: ['files', 'memory', 'everything'],
    run: { launcher: ['/usr/local/bin/trunkline'] },
  })
  // it is accepted, and fails all the same
  if (isForLooking) await open.running.host.accept('broken').catch(() => {})
  const editor = await callerOf(open.running, 'claude-code')
  const call = (name: string, args: object) => editor.tools.call(name, args).catch(() => undefined)
  await call('files__read_text_file', { path: 'today.md' })
  await call('memory__read_graph', {})
  await call('memory__delete_entities', { entityNames: ['Ann'] })
  await call('everything__get-sum', { a: 2, b: 40 })
  await call('everything__echo', { message: 'The invoice is paid' })
  return { ...open, editor, provider }
}

/** The question of a call that writes, compared with the one before. */
export async function askToWrite(open: Work): Promise<void> {
  const path = 'letter.txt'
  const write = (content: string) => open.editor.tools.call('files__write_file', { path, content })
  const first = write('Dear Ann,\nthe invoice is paid.\n')
  const { inbox } = open.running.host
  await until(() => inbox.open.some(({ kind }) => kind === 'call'))
  const [question] = inbox.open.filter(({ kind }) => kind === 'call')
  await inbox.answer(question?.id ?? '', { choice: 'once', by: 'terminal' }, { isLocal: true })
  await first
  void write('Dear Ann,\nthe invoice is paid twice.\nPlease send one back.\n').catch(() => {})
  await until(() => inbox.open.some(({ kind }) => kind === 'call'))
}

/** The screens of the documentation, in its order. */
export const scenes: readonly Scene[] = [
  {
    name: 'servers',
    path: '/servers',
    height: 480,
    arrange: ({ page }) =>
      page
        .getByRole('img', { name: /^\d calls? in the last/ })
        .first()
        .waitFor(),
  },
  {
    name: 'inbox',
    path: '/inbox',
    height: 920,
    async arrange({ page }) {
      await page
        .getByRole('list', { name: 'Questions that wait' })
        .getByRole('link', { name: /write_file/ })
        .click()
      await page.getByText('Compared with the last call').waitFor()
    },
  },
  {
    name: 'tools',
    path: '/tools/everything/get-structured-content',
    async arrange({ page }) {
      await page.getByLabel('location').selectOption({ index: 1 })
      await page.getByRole('button', { name: 'Run', exact: true }).click()
      await page.getByRole('heading', { name: 'History' }).waitFor()
      await page.getByText('1 call in 30 days').waitFor()
    },
  },
  {
    name: 'resources',
    path: '/resources',
    async arrange({ page }) {
      await page.getByRole('link', { name: /architecture\.md/ }).click()
      await page.getByLabel('Markdown').waitFor()
    },
  },
  {
    name: 'activity',
    path: '/activity',
    async arrange({ page }) {
      await page.getByRole('button', { name: /write_file.*ok/ }).click()
      await page.getByRole('group', { name: 'The server was asked' }).waitFor()
      const hops = page.getByRole('heading', { name: 'JSON-RPC of both hops' })
      await hops.evaluate((heading) => heading.scrollIntoView())
      await page.getByText(/^\d+ calls in the last 10 minutes/).waitFor()
    },
  },
  {
    name: 'policy',
    path: '/policy?server=memory&tool=delete_entities&client=claude-code',
    arrange: ({ page }) => page.getByText('To change it:').waitFor(),
  },
  {
    name: 'chat',
    path: '/chat',
    height: 800,
    async arrange({ page, provider }) {
      const path = 'today.md'
      const answer = '**Two things** are left for today:\n\n1. Call Ann\n2. Water the plants\n'
      const use = { input: 812, output: 64 }
      provider.say(
        { calls: [{ id: 'a', name: 'files__read_text_file', arguments: { path } }] },
        { text: [answer], tokens: use },
      )
      await page.getByLabel('What you want').fill('What is left to do today?')
      await page.keyboard.press('Enter')
      await page.getByText('Water the plants').last().waitFor()
      await page.getByText('The model answers').waitFor({ state: 'detached' })
    },
  },
  {
    name: 'connect',
    path: '/connect/cursor',
    height: 640,
    arrange: ({ page }) => page.getByText('Write this change').waitFor(),
  },
]

/** Further scenes, which stand in no documentation. */
export const moreScenes: readonly Scene[] = [
  {
    name: 'server',
    path: '/servers/everything',
    async arrange({ page }) {
      await page.getByRole('list', { name: 'Processes' }).waitFor()
      await page.getByRole('img', { name: /^\d calls? in the last/ }).waitFor()
    },
  },
  {
    name: 'failing',
    path: '/servers/broken',
    arrange: ({ page }) => page.getByText('failed', { exact: true }).first().waitFor(),
  },
  {
    name: 'unaccepted',
    path: '/servers/billing',
    arrange: ({ page }) => page.getByRole('heading', { name: 'Not accepted yet' }).waitFor(),
  },
  { name: 'add', path: '/servers/add' },
  { name: 'start', path: '/inbox', arrange: ({ page }) => page.getByRole('link', { name: /Start billing/ }).click() },
  { name: 'tool-list', path: '/tools' },
  {
    name: 'form',
    path: '/tools/files/edit_file',
    async arrange({ page }) {
      await page.getByRole('button', { name: 'Add to edits' }).click()
      await page.getByRole('button', { name: 'Run', exact: true }).click()
    },
  },
  {
    name: 'prompt',
    path: '/prompts/everything/args-prompt',
    async arrange({ page }) {
      await page.getByLabel('city').fill('Graz')
      await page.getByRole('button', { name: 'Fill in' }).click()
      await page.getByText(/weather in Graz/).waitFor()
    },
  },
  {
    name: 'waterfall',
    path: '/activity',
    async arrange({ page }) {
      await page.getByRole('button', { name: 'Waterfall' }).click()
      await page.getByRole('region', { name: 'Waterfall' }).waitFor()
    },
  },
  {
    name: 'asks',
    path: '/tools/files/write_file',
    async arrange({ page }) {
      await page.getByLabel('path').fill('note.txt')
      await page.getByLabel('content').fill('Water the plants')
      await page.getByRole('button', { name: 'Run', exact: true }).click()
      await page.getByRole('button', { name: 'Allow once' }).waitFor()
    },
  },
  { name: 'settings', path: '/settings/model' },
  { name: 'tokens', path: '/settings/clients' },
  { name: 'roots', path: '/settings/projects' },
  { name: 'connect-list', path: '/connect' },
  {
    name: 'palette',
    path: '/servers',
    async arrange({ page }) {
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').getByRole('combobox').fill('write')
      await page.getByRole('option').first().waitFor()
    },
  },
]
