/** One thing that the palette finds or does. */
export interface PaletteItem {
  readonly key: string
  readonly title: string
  /** Kind of item, for a person who looks for it. */
  readonly kind: string
  /** Further search words. */
  readonly words?: string
  /** True if it waits for a person, and so stands before items of the same name. */
  readonly isWaiting?: boolean
  /** Goes there or does it; what fails is told on the page. */
  run(): unknown
}

/** Puts an item together. */
export function itemOf(key: string, title: string, kind: string, run: PaletteItem['run'], words = ''): PaletteItem {
  return { key, title, kind, run, words }
}
