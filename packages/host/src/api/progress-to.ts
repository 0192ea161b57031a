import type { HostEvent } from './events.ts'

/** A page shows no more reports than this, and a server may send thousands. */
const everyMs = 50

/** Tells pages how far a run is. */
export function progressTo(run: string, tell: (event: HostEvent) => void) {
  let toldAt = 0
  return ({ progress, total, message }: { progress: number; total?: number; message?: string }): void => {
    const now = performance.now()
    if (now - toldAt < everyMs && progress !== total) return
    toldAt = now
    tell({ event: 'progress', run, progress, ...(total !== undefined && { total }), ...(message && { message }) })
  }
}
