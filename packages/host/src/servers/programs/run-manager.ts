import { execFile } from 'node:child_process'

/** Options to run a package manager. */
export interface ManagerOptions {
  readonly cwd: string
  readonly environment: { readonly [name: string]: string | undefined }
  /** Its stdin. @default nothing */
  readonly input?: string
  /** Milliseconds after which it is ended. @default 5 minutes */
  readonly timeoutMs?: number
}

/** A large package over a slow line takes its time. */
const installMs = 5 * 60_000
const maxOutputBytes = 8 * 1024 ** 2

/** Failure of a package manager. */
export class ManagerError extends Error {
  override readonly name = 'ManagerError'
  /** True if the registry could not be reached: there is no network, or no answer. */
  readonly isOffline: boolean
  /** Its complete output. */
  readonly output: string

  constructor(message: string, isOffline: boolean, output = '') {
    super(message)
    this.isOffline = isOffline
    this.output = output
  }
}

/** Runs a package manager to its end; returns its output. */
export function runManager(program: string, args: readonly string[], options: ManagerOptions): Promise<string> {
  const { cwd, environment, input = '', timeoutMs = installMs } = options
  return new Promise((done, fail) => {
    const settings = { cwd, env: environment as NodeJS.ProcessEnv, timeout: timeoutMs, maxBuffer: maxOutputBytes }
    const child = execFile(program, [...args], settings, (error, stdout, stderr) => {
      if (!error) return done(stdout)
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ENOENT') return fail(new ManagerError(`"${program}" is not on the path`, false))
      if (error.killed) return fail(new ManagerError(`"${program}" took longer than ${timeoutMs / 1000} seconds`, true))
      const said = `${stdout}\n${stderr}`
      fail(new ManagerError(firstSentence(stderr) ?? `"${program}" ended with ${code}`, offline.test(said), said))
    })
    child.stdin?.on('error', () => {}).end(input)
  })
}

const offline =
  /ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN|ENOTCACHED|ENETUNREACH|dns error|error sending request/i

function firstSentence(stderr: string): string | undefined {
  const lines = stderr.split('\n').map((line) => line.replace(/^npm (?:error|ERR!)\s*/, '').trim())
  return lines.find((line) => line !== '' && !/^(?:code|errno|syscall|path|dest|A complete log) ?/.test(line))
}
