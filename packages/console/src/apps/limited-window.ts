import type { HostWindow, WindowMessage } from '@trunkline/mcp/apps'

/** Message rate above which an app is stopped as runaway. */
export const maxMessagesPerSecond = 200

export interface MessageLimit {
  /** Window whose messages are counted. */
  source(): unknown
  onFlood(): void
}

/** The window of this page, for one app: what it posts is counted, and too much of it is heard no more. */
export function limitedWindow(target: Window, { source, onFlood }: MessageLimit): HostWindow {
  const counted = new Map<(event: WindowMessage) => void, (event: MessageEvent) => void>()
  let [since, count, isOver] = [0, 0, false]
  const isTooMuch = (): boolean => {
    const now = performance.now()
    if (now - since > 1_000) [since, count] = [now, 0]
    count += 1
    return count > maxMessagesPerSecond
  }
  return {
    origin: target.origin,
    addEventListener(type, listener) {
      const take = (event: MessageEvent): void => {
        if (isOver || event.source !== source()) return
        isOver = isTooMuch()
        if (isOver) onFlood()
        else listener(event)
      }
      counted.set(listener, take)
      target.addEventListener(type, take)
    },
    removeEventListener(type, listener) {
      const take = counted.get(listener)
      if (take) target.removeEventListener(type, take)
      counted.delete(listener)
    },
  }
}
