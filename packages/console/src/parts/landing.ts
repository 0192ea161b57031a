/** A jump that is under way, with the elements of the page that it leaves. */
let jump: { readonly left: ReadonlySet<Element> } | undefined
/** The place that the last jump led to. */
let landed: HTMLElement | undefined

/** Notes a jump to a place of the page, such as from the palette; one to where a person is leads to the heading there. */
export function beginJump(isHere: boolean): void {
  endJump()
  jump = { left: new Set(isHere ? [] : document.querySelectorAll('main *')) }
  // who goes on by hand is not brought back
  for (const event of byHand) window.addEventListener(event, endJump, { capture: true })
  if (isHere) land(document.querySelector<HTMLElement>('main h1'))
}

/** Gives the focus to a place that a jump led to; nothing if there was none. */
export function land(place: HTMLElement | null): void {
  if (!jump || !place) return
  // the screen that is left may be drawn once more before the other one is there
  if (!jump.left.has(place)) endJump()
  landed = place
  // after the dialog has given the focus back to where the jump began
  requestAnimationFrame(() => place.focus({ preventScroll: true }))
}

/** True while the place that a jump led to has the focus. */
export function hasLanded(): boolean {
  return landed !== undefined && landed === document.activeElement
}

const byHand = ['keydown', 'pointerdown'] as const

function endJump(): void {
  jump = undefined
  for (const event of byHand) window.removeEventListener(event, endJump, { capture: true })
}
