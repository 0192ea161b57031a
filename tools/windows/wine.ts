import { spawn } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

/** The programs of Wine for 64 bits; Debian's `wine` would look for those of 32 too. */
const [wine, server] = ['/usr/lib/wine/wine64', '/usr/lib/wine/wineserver64']

/** True if this machine has a Wine that can run `node.exe`. */
export const hasWine = process.platform === 'linux' && process.arch === 'x64' && existsSync(wine)

/** A program of Windows to run: output goes into a file, since some programs hang at the pipes that Wine makes of ours. */
export interface WindowsProgram {
  readonly args: readonly string[]
  readonly cwd: string
  readonly output: string
  readonly limitMs: number
  readonly env?: { readonly [name: string]: string }
}

/** End of a program; undefined if its time was over. */
export type ExitCode = number | undefined

/** An installation of Windows as Wine has it, made anew and empty. */
export class WinePrefix {
  readonly #folder: string
  readonly #env: NodeJS.ProcessEnv

  private constructor(folder: string) {
    this.#folder = folder
    // variables of this process would show in tests, and Windows has none of most of them
    this.#env = {
      HOME: process.env.HOME,
      PATH: process.env.PATH,
      // without it, letters beyond ASCII in names of files are lost
      LC_ALL: 'C.UTF-8',
      WINEPREFIX: folder,
      WINEDEBUG: '-all',
      // neither .NET nor a browser is asked for
      WINEDLLOVERRIDES: 'mscoree,mshtml,winemenubuilder.exe=',
      NODE_SKIP_PLATFORM_CHECK: '1',
    }
  }

  /** Makes one in a folder that is not there yet. */
  static async make(folder: string): Promise<WinePrefix> {
    mkdirSync(folder)
    const prefix = new WinePrefix(folder)
    const output = `${folder}.txt`
    for (const args of [
      ['wineboot.exe', '--init'],
      // as Windows 10, it has no answer to how libuv connects a socket
      ['winecfg.exe', '-v', 'win81'],
    ])
      await prefix.run({ args, cwd: folder, output, limitMs: 120_000 })
    return prefix
  }

  /** Makes a folder of this machine a drive, such as `t:`. */
  addDrive(letter: string, folder: string): void {
    symlinkSync(folder, join(this.#folder, 'dosdevices', letter))
  }

  /** Runs a program to its end. */
  async run({ args, cwd, output, limitMs, env = {} }: WindowsProgram): Promise<ExitCode> {
    const written = openSync(output, 'a')
    const child = spawn(wine, args, {
      cwd,
      env: { ...this.#env, ...env },
      stdio: ['ignore', written, written],
      timeout: limitMs,
      killSignal: 'SIGKILL',
    })
    closeSync(written)
    return new Promise((resolve, reject) => {
      child.once('error', reject)
      child.once('exit', (code) => resolve(code ?? undefined))
    })
  }

  /** Ends all that runs in it. */
  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise((resolve) => spawn(server, ['-k'], { env: this.#env, stdio: 'ignore' }).once('exit', resolve))
  }
}
