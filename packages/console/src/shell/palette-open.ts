import { createStore } from '../host/store.ts'

/** True while the palette is open. */
export const paletteOpen = createStore(false)

/** Opens and closes it by Ctrl-K or Cmd-K, wherever one is. */
export function togglePaletteByKey(event: KeyboardEvent): void {
  if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey) return
  event.preventDefault()
  paletteOpen.set(!paletteOpen.get())
}
