import { constants } from 'node:os'
import type { RunningServer } from './serve.ts'

/** Closes a server on the first SIGTERM or SIGINT and resolves when it is closed; the second signal does not wait. */
export async function untilSignal(listening: Pick<RunningServer, 'close' | 'whenClosed'>): Promise<void> {
  let isClosing = false
  const end = (signal: NodeJS.Signals): void => {
    if (isClosing) process.exit(128 + constants.signals[signal])
    isClosing = true
    void listening.close()
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
  await listening.whenClosed
  process.off('SIGTERM', end)
  process.off('SIGINT', end)
}
