/** Places that can hold the focus for want of a control; a row of buttons leaves the others of it within reach. */
const places = '.buttons, section, article, form, fieldset, li, [tabindex="-1"]'

/**
 * Keeps the focus inside a part of the page when the control that has it is removed or disabled, such as a button that was
 * pressed: the nearest place around it takes it, so that the keyboard goes on from there. A control that is enabled again
 * gets it back.
 */
export function keepFocus(part: HTMLElement): () => void {
  /** The control that had the focus, and the places around it, nearest first. */
  let last: HTMLElement | undefined
  let around: readonly HTMLElement[] = []
  let standIn: HTMLElement | undefined
  const note = ({ target }: FocusEvent): void => {
    if (!(target instanceof HTMLElement) || target === standIn) return
    last = target
    around = placesAround(target, part)
    standIn = undefined
  }
  const look = (): void => {
    if (!last) return
    const { activeElement: now } = document
    const isFree = now === null || now === document.body || now === last || now === standIn
    if (!isFree) return
    const isHeld = standIn !== undefined && now === standIn
    if (last.isConnected && !last.matches(':disabled')) {
      if (isHeld) last.focus({ preventScroll: true })
    } else if (!isHeld) {
      standIn = around.find((place) => place.isConnected)
      if (standIn) hold(standIn)
    }
  }
  const changes = new MutationObserver(look)
  changes.observe(part, { childList: true, subtree: true, attributes: true, attributeFilter: ['disabled'] })
  part.addEventListener('focusin', note)
  return () => {
    changes.disconnect()
    part.removeEventListener('focusin', note)
  }
}

/** True if no control has the focus: nothing has it, or a place that holds it meanwhile. */
export function isFocusFree(): boolean {
  const { activeElement: now } = document
  return now === null || now === document.body || now.getAttribute('tabindex') === '-1'
}

function placesAround(control: Element, part: HTMLElement): readonly HTMLElement[] {
  const found: HTMLElement[] = []
  for (let at = control.parentElement; at && part.contains(at); at = at.parentElement) {
    if (at === part || at.matches(places)) found.push(at)
  }
  return found
}

/** Gives the focus to what cannot have it otherwise, for as long as it stays there. */
function hold(place: HTMLElement): void {
  if (!place.hasAttribute('tabindex')) {
    place.tabIndex = -1
    place.addEventListener('blur', () => place.removeAttribute('tabindex'), { once: true })
  }
  place.focus({ preventScroll: true })
}
