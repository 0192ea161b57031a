import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const launcher = join(import.meta.dirname, '../bin/trunkline.js')

/** A real terminal with the command running in it; disposing of it ends both. */
export interface TerminalSession extends AsyncDisposable {
  /** What the screen shows, once it shows what is looked for. */
  until(wanted: RegExp): Promise<string>
  /** What the screen shows, with the escapes that colour it. */
  colours(): Promise<string>
  type(...keys: readonly string[]): Promise<void>
}

/** Runs the command in a terminal; when it has ended, the screen says `exit:` and its code. */
export function inTerminal(
  args: readonly string[],
  env: { readonly [name: string]: string } = {},
): Promise<TerminalSession> {
  return programInTerminal([process.execPath, launcher, ...args], env)
}

/** Runs any program in a terminal, such as a shell. */
export async function programInTerminal(
  words: readonly string[],
  env: { readonly [name: string]: string } = {},
): Promise<TerminalSession> {
  const socket = `trunkline-${randomUUID()}`
  const tmux = async (...args: readonly string[]): Promise<string> =>
    (await run('tmux', ['-L', socket, ...args])).stdout
  const variables = Object.entries({ CI: '', NO_COLOR: '', ...env }).map(([name, value]) => `${name}=${value}`)
  const line = ['env', ...variables, ...words].map(quoted).join(' ')
  await tmux('-f', '/dev/null', 'new-session', '-d', '-x', '160', '-y', '50', `${line}; echo "exit:$?"; exec cat`)
  const screen = (): Promise<string> => tmux('capture-pane', '-p', '-J')
  return {
    async until(wanted) {
      for (;;) {
        const shown = await screen()
        if (wanted.test(shown)) return shown
        if (/^exit:\d/m.test(shown) && !wanted.test(await screen()))
          throw new Error(`Never showed ${wanted}:\n${shown}`)
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    },
    colours: () => tmux('capture-pane', '-p', '-e'),
    async type(...keys) {
      await tmux('send-keys', '--', ...keys)
    },
    async [Symbol.asyncDispose]() {
      await tmux('kill-server').catch(() => {})
    },
  }
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`
}
