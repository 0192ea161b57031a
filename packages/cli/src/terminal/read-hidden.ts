import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import type { Terminal } from './terminal.ts'

/** Reads a line that is typed or pasted without being shown; undefined if the input was closed. */
export async function readHidden(
  { input, screen }: Terminal,
  question: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  signal.throwIfAborted()
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const reader = createInterface({ input, output: nowhere, terminal: true, historySize: 0 })
  screen.write(`${question} `)
  try {
    return await new Promise<string | undefined>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      // a terminal that is read key by key does not turn Ctrl-C into a signal by itself
      reader.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
      reader.on('close', () => resolve(undefined))
      reader.on('line', resolve)
    })
  } finally {
    reader.close()
    screen.write('\n')
  }
}
