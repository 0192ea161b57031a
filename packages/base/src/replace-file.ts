import { rename } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'

/** Errors of Windows for a file that another process has open: a reader, a virus scanner, an indexer. */
const openElsewhere: ReadonlySet<unknown> = new Set(['EPERM', 'EACCES', 'EBUSY'])

/** Options of {@link replaceFile}. */
export interface ReplaceOptions {
  /** @default this process's */
  readonly platform?: NodeJS.Platform
  /** Milliseconds for which a file may stay open elsewhere. @default 5_000 */
  readonly patienceMs?: number
}

/** Moves a file to the place of another at once; on Windows it waits until no other process has that one open. */
export async function replaceFile(from: string, to: string, options: ReplaceOptions = {}): Promise<void> {
  const { platform = process.platform, patienceMs = 5_000 } = options
  const end = performance.now() + (platform === 'win32' ? patienceMs : 0)
  for (let pauseMs = 5; ; pauseMs = Math.min(pauseMs * 2, 200)) {
    try {
      return await rename(from, to)
    } catch (error) {
      if (!openElsewhere.has((error as NodeJS.ErrnoException).code) || performance.now() >= end) throw error
    }
    await wait(pauseMs * (0.5 + Math.random() / 2))
  }
}
