import type { Page } from 'playwright-core'

/** Frames and work of a page while it was watched. */
export interface PageFigures {
  /** Milliseconds between one frame and the next, in order. */
  readonly gaps: readonly number[]
  /** Milliseconds of processor time that its main thread took; what else runs on the machine does not count. */
  readonly busyMs: number
  /** Elements on the page at the end. */
  readonly elements: number
}

/** Cost to a page of a flood of events. */
export interface FloodFigures {
  /** Nineteen of twenty frames came within so many milliseconds of the one before. */
  readonly p95GapMs: number
  readonly elements: number
  readonly busyMs: number
}

export function floodFigures({ gaps, elements, busyMs }: PageFigures): FloodFigures {
  return { p95GapMs: quantile(gaps, 0.95), elements, busyMs }
}

/** Watches the frames and the main thread of a page while something is done in it. */
export async function watchPage(page: Page, work: () => Promise<void>): Promise<PageFigures> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const busy = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics')
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000
  }
  await page.evaluate(recordGaps)
  const before = await busy()
  await work()
  const busyMs = (await busy()) - before
  const { gaps, elements } = await page.evaluate(() => {
    const watched = globalThis as unknown as { stopGaps(): readonly number[] }
    return { gaps: watched.stopGaps(), elements: document.querySelectorAll('*').length }
  })
  await session.detach()
  return { gaps, busyMs, elements }
}

/** The value below which this part of the values lies. */
function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
}

function recordGaps(): void {
  const gaps: number[] = []
  let last = performance.now()
  let isOver = false
  const frame = (now: number): void => {
    gaps.push(now - last)
    last = now
    if (!isOver) requestAnimationFrame(frame)
  }
  requestAnimationFrame(frame)
  Object.assign(globalThis, {
    stopGaps() {
      isOver = true
      // the wait for the last frame counts as well
      return [...gaps, performance.now() - last]
    },
  })
}
