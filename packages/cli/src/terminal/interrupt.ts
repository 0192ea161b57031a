import { exitCodes } from '../failure/exit-code.ts'
import { Failure } from '../failure/failure.ts'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Stops what is under way on the first signal, in good order; on the second one the process ends at once. */
export function stopOnSignals(stop: AbortController): void {
  for (const signal of signals) {
    process.on(signal, () => {
      if (stop.signal.aborted) process.exit(exitCodes.interrupted)
      stop.abort(interruption())
    })
  }
}

/** What a command fails with when somebody stops it. */
export function interruption(): Failure {
  return new Failure('Interrupted', { code: 'Interrupted', exit: exitCodes.interrupted })
}
