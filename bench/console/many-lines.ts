import { fileURLToPath } from 'node:url'
import { openConsole } from '../../packages/console/test/open-page.ts'
import { callerOf } from '../../packages/host/test/run/person.ts'
import { type FloodFigures, floodFigures, watchPage } from './page-figures.ts'

const noisy = { command: process.execPath, args: [fileURLToPath(new URL('./noisy-server.ts', import.meta.url))] }

/** Two thousand lines of stderr a second for ten seconds, on the screen of the server that writes them. */
export async function manyLines(): Promise<FloodFigures> {
  const settings = { mcpServers: { noisy }, policy: { allow: ['noisy:*'] } }
  await using open = await openConsole({ settings, accepted: ['noisy'], path: '/servers/noisy' })
  const { page, running } = open
  await page.getByRole('heading', { name: 'What it wrote to stderr' }).waitFor()
  await using editor = await callerOf(running)
  const figures = await watchPage(page, async () => {
    await editor.tools.call('noisy__write', { perSecond: 2_000, seconds: 10 })
  })
  // a page that forgets without saying so is not counted
  await page.getByText(/older lines are gone: the last 1,000 are kept/).waitFor()
  return floodFigures(figures)
}
