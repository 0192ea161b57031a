import type { HostEvent } from '@trunkline/host/page-api'
import { HostRefusal } from './call.ts'
import { readEvents } from './read-events.ts'
import { createStore } from './store.ts'

/** State of the page's link to the host. */
export type LinkState = 'opening' | 'open' | 'gone' | 'signed out'

/** State of the event stream; everything the page shows is as old as its last change. */
export const link = createStore<LinkState>('opening')

const firstWaitMs = 250
const maxWaitMs = 5_000

export interface LinkHandlers {
  /** Called with events, in order. */
  onEvents(events: readonly HostEvent[]): void
  /** The stream is open; anything may have happened before, also since the page asked for what it shows. */
  onOpen(): void
}

/** Follows the host's events for as long as the page is open, whatever happens to the host. */
export async function followHost(handlers: LinkHandlers, signal: AbortSignal): Promise<void> {
  let waitMs = firstWaitMs
  let wasOpen = false
  while (!signal.aborted) {
    try {
      for await (const events of readEvents(signal)) {
        if (link.get() !== 'open') {
          handlers.onOpen()
          link.set('open')
          wasOpen = true
          waitMs = firstWaitMs
        }
        if (events.length > 0) handlers.onEvents(events)
      }
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof HostRefusal && error.status === 401) return link.set('signed out')
    }
    if (signal.aborted) return
    if (wasOpen || link.get() === 'gone') link.set('gone')
    await pause(waitMs, signal)
    if (link.get() === 'opening') link.set('gone')
    waitMs = Math.min(waitMs * 2, maxWaitMs)
  }
}

/** Waits; a person who comes back to the page does not. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', end)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    document.addEventListener('visibilitychange', end)
    signal.addEventListener('abort', end)
  })
}
