/** The links and buttons of the lists inside a part of the page. */
const listed = 'li > :is(a, button:not(:disabled))'

/**
 * Lets the arrow keys walk through a list, and from its search field into it; as the `ref` of what holds both. The list is
 * one stop of Tab: the entry that is open, that was walked to last, or the first. Lists that draw only what is seen draw a few
 * rows more, so that the next one is always there.
 */
export function arrowKeys(part: HTMLElement | null): (() => void) | undefined {
  if (!part) return undefined
  const move = (event: KeyboardEvent): void => {
    const to = nextOf(part, event)
    if (!to) return
    event.preventDefault()
    to.focus()
  }
  let last: Element | undefined
  const stop = (): void => {
    const items = [...part.querySelectorAll<HTMLElement>(listed)]
    const focused = items.find((item) => item === document.activeElement)
    last = focused ?? items.find((item) => item.ariaCurrent !== null) ?? items.find((item) => item === last) ?? items[0]
    for (const item of items) setTabIndex(item, item === last ? 0 : -1)
  }
  stop()
  // rows come and go while a list is searched or scrolled
  const rows = new MutationObserver(stop)
  rows.observe(part, { childList: true, subtree: true, attributes: true, attributeFilter: ['aria-current'] })
  part.addEventListener('keydown', move)
  part.addEventListener('focusin', stop)
  return () => {
    rows.disconnect()
    part.removeEventListener('keydown', move)
    part.removeEventListener('focusin', stop)
  }
}

function setTabIndex(item: HTMLElement, index: number): void {
  if (item.tabIndex !== index) item.tabIndex = index
}

function nextOf(part: HTMLElement, { key, target }: KeyboardEvent): HTMLElement | null | undefined {
  const items = [...part.querySelectorAll<HTMLElement>(listed)]
  const search = part.querySelector<HTMLElement>('input[type="search"]')
  if (target === search) return key === 'ArrowDown' ? items[0] : undefined
  const at = items.indexOf(target as HTMLElement)
  if (at < 0) return undefined
  switch (key) {
    case 'ArrowDown':
      return items[at + 1]
    case 'ArrowUp':
      return items[at - 1] ?? search
    case 'Home':
      return items[0]
    case 'End':
      return items.at(-1)
    default:
      return undefined
  }
}
