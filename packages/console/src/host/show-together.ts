/** Interval between batches: shorter ones could not be read. */
const usualMs = 100
/** More than this at once is not read line by line, and to draw it less often leaves the page its time. */
const much = 50
const muchMs = 400
const hiddenMs = 1_000

/**
 * Shows what arrives in batches: the first after a moment, the next ones less often while much arrives. Returns what
 * asks for it; `show` tells how much it showed.
 */
export function showTogether(show: () => number): () => void {
  let isScheduled = false
  let last = 0
  return () => {
    if (isScheduled) return
    isScheduled = true
    setTimeout(
      () => {
        isScheduled = false
        last = show()
      },
      document.hidden ? hiddenMs : last > much ? muchMs : usualMs,
    )
  }
}
