/** The links and buttons of the lists inside a part of the page. */
const listed = 'li > :is(a, button:not(:disabled))'

/**
 * Lets the arrow keys walk through a list, and from its search field into it; as the `ref` of what holds both. Lists that
 * draw only what is seen draw a few rows more, so that the next one is always there.
 */
export function arrowKeys(part: HTMLElement | null): (() => void) | undefined {
  if (!part) return undefined
  const move = (event: KeyboardEvent): void => {
    const to = nextOf(part, event)
    if (!to) return
    event.preventDefault()
    to.focus()
  }
  part.addEventListener('keydown', move)
  return () => part.removeEventListener('keydown', move)
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
