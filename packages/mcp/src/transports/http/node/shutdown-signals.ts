import { constants } from 'node:os'
import { endingNotice } from '../../describe-in-flight.ts'
import type { RunningServer } from './listen-http.ts'

type Closable = Pick<RunningServer, 'close' | 'whenClosed'> & Partial<Pick<RunningServer, 'underWay' | 'drainMs'>>

/**
 * Closes a server on the first SIGTERM or SIGINT, and resolves when it is closed. Prints the requests in flight to
 * standard error; a second signal closes at once.
 */
export async function untilSignal(listening: Closable): Promise<void> {
  let isClosing = false
  const end = (signal: NodeJS.Signals): void => {
    if (isClosing) process.exit(128 + constants.signals[signal])
    isClosing = true
    const notice = endingNotice(listening.underWay ?? [], listening.drainMs ?? 0)
    if (notice !== undefined) console.error(notice)
    void listening.close()
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
  await listening.whenClosed
  process.off('SIGTERM', end)
  process.off('SIGINT', end)
}
