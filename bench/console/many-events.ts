import { openConsole } from '../../packages/console/test/open-page.ts'
import { everySecond } from './every-second.ts'
import { type FloodFigures, floodFigures, watchPage } from './page-figures.ts'

const line = { kind: 'ended', actKind: 'call', principal: 'bench', server: 'one', target: 'echo' } as const

/** Two thousand lines of the ledger a second for ten seconds, on the screen that shows all of them. */
export async function manyEvents(): Promise<FloodFigures> {
  await using open = await openConsole({ path: '/activity' })
  const { page, running } = open
  await page.getByRole('heading', { name: 'Activity' }).waitFor()
  const figures = await watchPage(page, () =>
    everySecond({ perSecond: 2_000, seconds: 10 }, (told) => {
      void running.host.ledger.append({ ...line, act: `act-${told}`, outcome: 'ok', ms: told % 50 })
    }),
  )
  // a page that forgets without saying so is not counted
  await page.getByText(/\d (?:older ones are only in the ledger|events came faster)/).waitFor()
  return floodFigures(figures)
}
