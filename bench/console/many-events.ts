import { openConsole } from '../../packages/console/test/open-page.ts'
import { quantile, watchPage } from './page-figures.ts'

/** What a flood of events costs the page. */
export interface ManyEventsFigures {
  /** Nineteen of twenty frames came within so many milliseconds of the one before. */
  readonly p95GapMs: number
  readonly elements: number
  readonly busyMs: number
}

const perSecond = 2_000
const seconds = 10
const everyMs = 20

/** Two thousand lines of the ledger a second for ten seconds, on the screen that shows all of them. */
export async function manyEvents(): Promise<ManyEventsFigures> {
  await using open = await openConsole({ path: '/activity' })
  const { page, running } = open
  await page.getByRole('heading', { name: 'Activity' }).waitFor()
  let told = 0
  const line = { kind: 'ended', actKind: 'call', principal: 'bench', server: 'one', target: 'echo' } as const
  const figures = await watchPage(page, async () => {
    const begun = performance.now()
    for (let passed = 0; passed < seconds * 1_000; passed = performance.now() - begun) {
      const due = Math.floor((passed / 1_000) * perSecond)
      for (; told < due; told += 1) {
        void running.host.ledger.append({ ...line, act: `act-${told}`, outcome: 'ok', ms: told % 50 })
      }
      await new Promise((resolve) => setTimeout(resolve, everyMs))
    }
  })
  // a page that forgets without saying so is not counted
  await page.getByText(/\d (?:older ones are only in the ledger|events came faster)/).waitFor()
  const { gaps, elements, busyMs } = figures
  return { p95GapMs: quantile(gaps, 0.95), elements, busyMs }
}
