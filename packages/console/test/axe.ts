/** Looks for barriers that keep people from using a page. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe finds on a page, in one line each. */
export async function violations(page: Page): Promise<readonly string[]> {
  // evaluated by the debugger, which the content security policy of the page does not bind
  await page.evaluate(source)
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } }
    interface Violation {
      readonly id: string
      readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
    }
    const found = await axe.run()
    return found.violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary.slice(0, 200)}`),
    )
  })
}

/** What axe finds in light and in dark colours. */
export async function violationsInBothThemes(page: Page): Promise<readonly string[]> {
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    for (const one of await violations(page)) found.push(`${colorScheme} ${one}`)
  }
  return found
}
