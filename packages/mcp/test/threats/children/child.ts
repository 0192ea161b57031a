/** Servers in processes of their own, for what can only be seen from outside. */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { programFile } from '../../../../../tools/lib/program-file.ts'
import { onLine } from '../../fixtures/lines.ts'

export interface Started extends AsyncDisposable {
  readonly process: ChildProcess
  readonly url: string
  readonly port: number
  /** Resolves with how it ended. */
  readonly whenOver: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>
  /** All that it wrote to standard error. */
  readonly complaints: readonly string[]
}

export interface Starting {
  readonly flags?: readonly string[]
  readonly args?: readonly string[]
  /** The most files it may have open. */
  readonly files?: number
}

/** Starts one of the programs here, and resolves when it tells where it listens. */
export async function start(program: string, { flags = [], args = [], files }: Starting = {}): Promise<Started> {
  const path = programFile(new URL(program, import.meta.url))
  const command = [process.execPath, ...flags, path, ...args]
  const [first = '', ...rest] =
    files === undefined ? command : ['sh', '-c', `ulimit -n ${files}; exec "$@"`, 'sh', ...command]
  const child = spawn(first, rest, { stdio: ['ignore', 'pipe', 'pipe'] })
  const complaints: string[] = []
  onLine(child.stderr, (line) => complaints.push(line))
  const whenOver = once(child, 'close').then(([code, signal]) => ({ code, signal }))
  const url = await new Promise<string>((resolve, reject) => {
    onLine(child.stdout, resolve)
    void whenOver.then(() => reject(new Error(`${program} ended: ${complaints.join('\n')}`)))
  })
  return {
    process: child,
    url,
    port: Number(new URL(url).port),
    whenOver,
    complaints,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await whenOver
    },
  }
}
