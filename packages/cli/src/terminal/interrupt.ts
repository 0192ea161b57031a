import { exitCodes } from '../failure/exit-codes.ts'
import { Failure } from '../failure/failure.ts'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Stops what is under way on the first signal, in good order; on the second one the process ends at once. */
export function stopOnSignals(stop: AbortController): void {
  for (const signal of signals) {
    process.on(signal, () => {
      if (stop.signal.aborted) process.exit(exitCodes.interrupted)
      stop.abort(signal === 'SIGTERM' ? new Terminated() : interruption())
    })
  }
}

/** Failure of a command that a person stopped. */
export function interruption(): Failure {
  return new Failure('Interrupted', { code: 'Interrupted', exit: exitCodes.interrupted })
}

/** Failure of a command that is told to end, as service managers do; for one that serves, that is no failure. */
export class Terminated extends Failure {
  constructor() {
    super('Interrupted', { code: 'Interrupted', exit: exitCodes.interrupted })
  }
}

/** Lets Ctrl-C stop one thing of many: while it runs, the signal aborts this alone. */
export async function interruptible<Result>(run: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const outer = process.rawListeners('SIGINT') as NodeJS.SignalsListener[]
  const stop = new AbortController()
  const abort = (): void => stop.abort(interruption())
  process.removeAllListeners('SIGINT')
  process.on('SIGINT', abort)
  try {
    return await run(stop.signal)
  } finally {
    process.removeListener('SIGINT', abort)
    for (const listener of outer) process.on('SIGINT', listener)
  }
}
