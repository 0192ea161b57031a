/** Looks for barriers that keep people from using a page. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Findings of axe on a page, in one line each; of contrast alone, if asked. */
export async function violations(page: Page, only?: 'contrast'): Promise<readonly string[]> {
  // evaluated by the debugger, which the content security policy of the page does not bind; once for each page
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source)
  return page.evaluate(async (asked) => {
    interface Violation {
      readonly id: string
      readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
    }
    type Run = (context: Document | { include: Element[] }, options: object) => Promise<{ violations: Violation[] }>
    const { axe } = globalThis as unknown as { axe: { run: Run } }
    // passes are counted and not described, which takes most of the time; a sheet that is still loading would be
    // fetched and put into the page, which its policy refuses with an error
    const options = { resultTypes: ['violations'], preload: false }
    const found: Violation[] = []
    const grounds = new Map<Element, string>()
    if (asked !== 'contrast') {
      const rules = { 'color-contrast': { enabled: false } }
      found.push(...(await axe.run(document, { ...options, rules })).violations)
    }
    const include = textsThatDiffer()
    if (include.length > 0)
      found.push(...(await axe.run({ include }, { ...options, runOnly: ['color-contrast'] })).violations)
    return found.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary.slice(0, 200)}`),
    )

    /** A few texts of each look: the rows of a table have the same colours, and to compute their contrast takes long. */
    function textsThatDiffer(): Element[] {
      const most = 3
      const counts = new Map<string, number>()
      return [...document.body.querySelectorAll('*')].filter((element) => {
        if (!hasText(element) || !element.checkVisibility({ visibilityProperty: true })) return false
        const { color, fontSize, fontWeight, textShadow } = getComputedStyle(element)
        const look = [color, fontSize, fontWeight, textShadow, ground(element)].join()
        const count = (counts.get(look) ?? 0) + 1
        counts.set(look, count)
        return count <= most
      })
    }

    /** Colours behind an element, as far as its own ancestors paint them. */
    function ground(element: Element | null): string {
      if (!element) return ''
      const known = grounds.get(element)
      if (known !== undefined) return known
      const { backgroundColor, backgroundImage, opacity, filter } = getComputedStyle(element)
      const own = `${backgroundColor} ${backgroundImage} ${opacity} ${filter} ${ground(element.parentElement)}`
      grounds.set(element, own)
      return own
    }

    function hasText(element: Element): boolean {
      if (element.matches('input, select, textarea')) return true
      return [...element.childNodes].some(({ nodeType, nodeValue }) => nodeType === 3 && nodeValue?.trim() !== '')
    }
  }, only)
}

/** Findings of axe in light and in dark colours. */
export async function violationsInBothThemes(page: Page): Promise<readonly string[]> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  const light = await violations(page)
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  // a theme changes colours, and nothing else that is looked at
  const dark = await violations(page, 'contrast')
  return [...light.map((one) => `light ${one}`), ...dark.map((one) => `dark ${one}`)]
}
