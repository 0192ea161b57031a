import { openConsole } from '../../packages/console/test/open-page.ts'
import { manyEntry } from '../../packages/console/test/programs/entry.ts'
import { watchPage } from './page-figures.ts'

/** Cost to the page of ten thousand tools. */
export interface ManyToolsFigures {
  readonly elements: number
  readonly busyMs: number
  readonly longestGapMs: number
  /** Milliseconds from a word in the search box to the tool that it finds. */
  readonly filterMs: number
}

/** Opens the tools of a server with ten thousand of them, and looks for one. */
export async function manyTools(): Promise<ManyToolsFigures> {
  await using open = await openConsole({ settings: { mcpServers: { many: manyEntry() } }, accepted: ['many'] })
  const { page } = open
  await page.getByRole('cell', { name: '10000' }).or(page.getByText('10,000')).first().waitFor()
  const { gaps, busyMs, elements } = await watchPage(page, async () => {
    await page.getByRole('link', { name: 'Tools', exact: true }).click()
    await page.getByText('10,000 tools').first().waitFor()
    await page.getByRole('link', { name: /^tool-0/ }).waitFor()
  })
  const filterMs = await page.evaluate(filterFor, 'tool-9876')
  return { elements, busyMs, longestGapMs: Math.max(...gaps), filterMs }
}

async function filterFor(word: string): Promise<number> {
  const input = document.querySelector<HTMLInputElement>('input[type="search"]')
  if (!input) throw new Error('There is nothing to search with')
  const begun = performance.now()
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, word)
  input.dispatchEvent(new Event('input', { bubbles: true }))
  while (!document.querySelector(`a[href$="/${word}"]`)) await new Promise(requestAnimationFrame)
  return performance.now() - begun
}
