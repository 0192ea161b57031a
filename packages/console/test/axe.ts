/** Looks for barriers that keep people from using a page. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Findings of axe on a page, in one line each; of one kind, if a rule is given. */
export async function violations(page: Page, rule?: string): Promise<readonly string[]> {
  // evaluated by the debugger, which the content security policy of the page does not bind; once for each page
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source)
  return page.evaluate(async (only) => {
    const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<{ violations: Violation[] }> } }
    interface Violation {
      readonly id: string
      readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
    }
    // passes are counted and not described, which takes most of the time; a sheet that is still loading would be
    // fetched and put into the page, which its policy refuses with an error
    const found = await axe.run({
      resultTypes: ['violations'],
      preload: false,
      ...(only !== undefined && { runOnly: [only] }),
    })
    return found.violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary.slice(0, 200)}`),
    )
  }, rule)
}

/** Findings of axe in light and in dark colours. */
export async function violationsInBothThemes(page: Page): Promise<readonly string[]> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  const light = await violations(page)
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  // a theme changes colours, and nothing else that is looked at
  const dark = await violations(page, 'color-contrast')
  return [...light.map((one) => `light ${one}`), ...dark.map((one) => `dark ${one}`)]
}
