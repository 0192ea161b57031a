import type { View } from '@trunkline/mcp/apps'

/** The lines that an app wrote last. */
export type AppNotes = readonly string[]

const maxNotes = 50
const maxNoteChars = 2_000
const [minHeight, maxHeight] = [80, 1_200]

export function addNote(notes: AppNotes, text: string): AppNotes {
  return [...notes, text.slice(0, maxNoteChars)].slice(-maxNotes)
}

/** An empty frame that the page can name for screen readers. */
export function frameFor(place: HTMLElement, server: string): HTMLIFrameElement {
  const frame = document.createElement('iframe')
  frame.title = `App of ${server}`
  place.append(frame)
  return frame
}

/** The page that holds an app, served with the policy of what it may reach. */
export function sandboxAddress({ csp }: View): URL {
  const url = new URL('/app-frame', location.origin)
  url.searchParams.set('domains', JSON.stringify(csp))
  return url
}

/** Makes the frame as high as the app wants, within reason. */
export function sizeOf(frame: HTMLIFrameElement, { height }: { readonly height?: number }): void {
  if (height !== undefined) frame.style.height = `${Math.min(Math.max(height, minHeight), maxHeight)}px`
}
