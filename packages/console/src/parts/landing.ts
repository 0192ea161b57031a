/** True from a jump until the place that it led to has the focus. */
let isJumping = false

/** Notes a jump to a place of the page, such as from the palette; one to where a person is leads to the heading there. */
export function beginJump(isHere: boolean): void {
  isJumping = true
  if (isHere) land(document.querySelector<HTMLElement>('main h1'))
}

/** Gives the focus to the place that a jump led to; nothing if there was none. */
export function land(place: HTMLElement | null): void {
  if (!isJumping || !place) return
  isJumping = false
  // after the dialog has given the focus back to where the jump began
  requestAnimationFrame(() => place.focus({ preventScroll: true }))
}
