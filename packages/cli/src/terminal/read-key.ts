import type { Terminal } from './terminal.ts'

/** Time in which keys are ignored: the question cannot have been read yet. */
const ignoredMs = 400

/** Waits for one of some keys. Others, Enter among them, do nothing; Ctrl-C ends the process as ever. */
export function readKey<const Key extends string>(
  { input }: Terminal,
  keys: readonly Key[],
  signal: AbortSignal,
): Promise<Key> {
  return new Promise((resolve, reject) => {
    const shownAt = Date.now()
    input.setRawMode(true)
    input.resume()
    const onData = (data: Buffer): void => {
      const typed = data.toString('utf8')
      if (typed === '\u0003') process.kill(process.pid, 'SIGINT')
      if (Date.now() - shownAt < ignoredMs) return
      // Enter decides nothing, also when it arrives together with the next key
      const pressed = typed.replace(/[\r\n]/g, '').toLowerCase()
      const key = keys.find((one) => one === pressed)
      if (key !== undefined) done(() => resolve(key))
    }
    const onAbort = (): void => done(() => reject(signal.reason))
    const done = (finish: () => void): void => {
      input.off('data', onData)
      signal.removeEventListener('abort', onAbort)
      input.setRawMode(false)
      input.pause()
      finish()
    }
    input.on('data', onData)
    signal.addEventListener('abort', onAbort, { once: true })
  })
}
