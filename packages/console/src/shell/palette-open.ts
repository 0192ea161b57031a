import { createStore } from '../host/store.ts'

/** True while the palette is open. */
export const paletteOpen = createStore(false)

/** Text of the palette; it takes letters before its field is there. */
export const paletteText = createStore('')

export function openPalette(): void {
  paletteText.set('')
  paletteOpen.set(true)
}

/** Opens and closes it by Ctrl-K or Cmd-K, wherever one is, and takes what is typed until its field does. */
export function togglePaletteByKey(event: KeyboardEvent): void {
  const hasCommand = event.ctrlKey || event.metaKey
  if (event.key.toLowerCase() === 'k' && hasCommand && !event.altKey) {
    event.preventDefault()
    if (paletteOpen.get()) paletteOpen.set(false)
    else openPalette()
    return
  }
  const isTaken = !(event.target instanceof Element) || event.target.closest('[role="dialog"]') === null
  if (!paletteOpen.get() || !isTaken || hasCommand || event.altKey) return
  if (event.key === 'Backspace') paletteText.set(paletteText.get().slice(0, -1))
  else if (event.key.length === 1) paletteText.set(paletteText.get() + event.key)
  else if (event.key === 'Escape') paletteOpen.set(false)
  else return
  event.preventDefault()
}
