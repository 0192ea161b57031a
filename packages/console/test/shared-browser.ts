import { after, afterEach } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser } from '../../mcp/test/fixtures/browser.ts'
import { faultsOfPages } from './open-page.ts'

/** Time in which a page that may hang has to tell what it shows. */
const lookMs = 10_000
const mostCharacters = 6_000

let launched: Promise<Browser> | undefined

/** The one browser of all tests of this process: each console has a context of its own in it. */
export function sharedBrowser(): Promise<Browser> {
  launched ??= launchBrowser()
  return launched
}

/** Outcome of a test, which the types of its context lack. */
interface Outcome {
  readonly passed: boolean
  readonly error: Error | null
}

afterEach(async (context) => {
  const { passed, error } = context as unknown as Outcome
  if (passed || !launched) return
  const pages = (await launched).contexts().flatMap((one) => one.pages())
  // the error is printed with its properties
  if (error) Object.assign(error.cause ?? error, { pages: await Promise.all(pages.map(shownBy)) })
})

after(async () => (await launched)?.close())

/** Address, text and faults of a page, for the reader of a failure. */
async function shownBy(page: Page): Promise<object> {
  const text = await page
    .locator('body')
    .innerText({ timeout: lookMs })
    .catch((error: Error) => error.message)
  const lines = text.slice(0, mostCharacters).split('\n')
  return { url: page.url(), faults: faultsOfPages.get(page) ?? [], shows: lines.filter((line) => line.trim() !== '') }
}
