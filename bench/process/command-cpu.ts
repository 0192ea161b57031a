import { execFile } from 'node:child_process'
import { NotThereYet } from './program.ts'

/** A command that ran: what it printed, and the milliseconds of processor time of all its processes. */
export interface MeteredCommand {
  readonly stdout: string
  readonly cpuMs: number
}

const limitMs = 60_000

/** Runs a command to its end; the shell counts the time of the command and of all that it waited for. */
export function meteredCommand(
  words: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<MeteredCommand> {
  const script = `TIMEFORMAT='cpu %U %S'; time "$@"`
  return new Promise((resolve, reject) => {
    const options = { timeout: limitMs, env, maxBuffer: 64 * 1024 ** 2 }
    execFile('bash', ['-c', script, 'bash', ...words], options, (error, stdout, stderr) => {
      const [, user, system] = /^cpu ([\d.]+) ([\d.]+)$/m.exec(stderr) ?? []
      if (error || user === undefined) reject(new NotThereYet(stderr.trim().split('\n').at(0) ?? 'it did not run'))
      else resolve({ stdout, cpuMs: (Number(user) + Number(system)) * 1000 })
    })
  })
}
