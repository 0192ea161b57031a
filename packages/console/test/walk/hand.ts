/** The two ways through the console: with the mouse, and by keyboard alone. */
import type { Locator, Page } from 'playwright-core'

/** Actions of a person on a page. */
export interface Hand {
  /** Presses since the task began, ways to a screen included. */
  readonly steps: number
  begin(): void
  /** Goes to a screen by its title. */
  goTo(screen: string): Promise<void>
  /** Presses a button or follows a link. */
  press(what: Locator): Promise<void>
  /** Writes into a field, over what stands there. */
  write(field: Locator, text: string): Promise<void>
  choose(list: Locator, option: string): Promise<void>
}

/** Clicks, and types where it clicked. */
export function mouse(page: Page): Hand {
  const screens = page.getByRole('navigation', { name: 'Screens' })
  let steps = 0
  return {
    get steps() {
      return steps
    },
    begin: () => {
      steps = 0
    },
    goTo: async (screen) => {
      steps += 1
      await screens.getByRole('link', { name: new RegExp(`^${screen}`) }).click()
      await page.getByRole('heading', { level: 1, name: screen }).waitFor()
    },
    press: async (what) => {
      steps += 1
      await what.click()
    },
    write: async (field, text) => {
      await field.click()
      await field.fill(text)
    },
    choose: async (list, option) => void (await list.selectOption(option)),
  }
}
