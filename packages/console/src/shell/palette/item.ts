/** One thing that the palette finds or does. */
export interface PaletteItem {
  readonly key: string
  readonly title: string
  /** What it is, for a person who looks for it. */
  readonly kind: string
  /** Other words by which somebody might look for it. */
  readonly words?: string
  /** Whether it waits for a person, and so stands before what is called alike. */
  readonly isWaiting?: boolean
  /** Goes there or does it; what fails is told on the page. */
  run(): unknown
}

/** Puts an item together. */
export function itemOf(key: string, title: string, kind: string, run: PaletteItem['run'], words = ''): PaletteItem {
  return { key, title, kind, run, words }
}
