import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import type { Hand } from './hand.ts'

/** Keys from one control to another on the longest way of a task; a list is one stop. */
const maxKeys = 60

/** Uses keys and nothing else; before each action, the focus is where it is needed and can be seen. */
export function keyboard(page: Page): Hand {
  const { keyboard: keys } = page
  const reach = async (what: Locator): Promise<void> => {
    await what.waitFor()
    const way: string[] = []
    // found once: to look for it by its name after each key takes longer than the key
    let target = await what.elementHandle()
    for (;;) {
      const key = (await target?.evaluate(nextKey)) ?? 'replaced'
      if (key === 'there') break
      assert.ok(way.length < maxKeys, `${what} was not reached: ${way.join(' ')}`)
      // the focus moves on when what had it is gone
      if (key === 'lost') await page.waitForFunction(() => document.activeElement !== document.body)
      else if (key === 'replaced') target = await what.elementHandle()
      else await keys.press(key)
      way.push(key)
    }
    assert.deepEqual(await target?.evaluate(unseen), [], `the focus at ${what}`)
  }
  let steps = 0
  return {
    get steps() {
      return steps
    },
    begin: () => {
      steps = 0
    },
    async goTo(screen) {
      steps += 1
      await keys.press('Control+k')
      const field = page.getByRole('combobox', { name: 'Find anything, do anything' })
      await keys.type(screen)
      const option = page.getByRole('option', { selected: true, name: new RegExp(`^${screen}`) })
      await option.waitFor()
      await field.and(page.locator(':focus')).waitFor()
      await keys.press('Enter')
      const heading = page.getByRole('heading', { level: 1, name: screen })
      await heading.waitFor()
      // who comes to the chat types at once
      const place = screen === 'Chat' ? page.getByRole('main').getByRole('textbox') : heading
      await place.and(page.locator(':focus')).waitFor()
    },
    async press(what) {
      steps += 1
      await reach(what)
      await keys.press('Enter')
    },
    async write(field, text) {
      await reach(field)
      await keys.press('ControlOrMeta+a')
      if (text === '') await keys.press('Delete')
      else await keys.type(text)
    },
    async choose(list, option) {
      await reach(list)
      await keys.type(option)
      await list.locator('option:checked', { hasText: option }).waitFor({ state: 'attached' })
    },
  }
}

/** The key that leads from the focus towards a control; `replaced` where another one took its place in the page. */
function nextKey(target: Element): string {
  if (!target.isConnected) return 'replaced'
  const { activeElement: now } = document
  if (now === target) return 'there'
  if (now === null || now === document.body) return 'lost'
  const isAfter = (now.compareDocumentPosition(target) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
  // the entries of a list are walked through with arrows
  const isEntry = (one: Element) => one.matches('li > :is(a, button)') && one.closest('ul') === target.closest('ul')
  if (isEntry(target) && isEntry(now)) return isAfter ? 'ArrowDown' : 'ArrowUp'
  return isAfter ? 'Tab' : 'Shift+Tab'
}

/** Reasons why the focus of an element cannot be seen. */
function unseen(element: Element): readonly string[] {
  const reasons: string[] = []
  if (element !== document.activeElement) reasons.push('it is elsewhere')
  const { outlineStyle, outlineWidth } = getComputedStyle(element)
  const hasOutline = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1
  const { left, right, top, bottom } = element.getBoundingClientRect()
  const x = (Math.max(left, 0) + Math.min(right, innerWidth)) / 2
  const y = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2
  const above = document.elementFromPoint(x, y)
  if (!hasOutline) reasons.push('it has no outline')
  if (above === null) reasons.push('it is out of sight')
  else if (!element.contains(above) && !above.contains(element)) {
    reasons.push(`it is behind ${above.outerHTML.slice(0, 80)}`)
  }
  return reasons
}
