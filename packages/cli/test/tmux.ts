import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { commandPath as launcher } from './command-path.ts'

const run = promisify(execFile)
/** Wait before keys that were not taken are typed again, longer each time. */
const retypeMs = 500
/** Limit of one wait for the screen, far longer than any of them takes. */
const giveUpMs = 180_000

/** A real terminal with the command running in it; disposing of it ends both. */
export interface TerminalSession extends AsyncDisposable {
  /** The screen, once it shows the wanted text. */
  until(wanted: RegExp): Promise<string>
  /** The screen, with the escapes that colour it. */
  colours(): Promise<string>
  type(...keys: readonly string[]): Promise<void>
  /**
   * Types keys as an answer, again until they are taken: what comes before a person can have read a question is none.
   * The command says that it took one by going to the next line.
   */
  answer(...keys: readonly string[]): Promise<void>
  /** Runs another program in a second pane of the same tmux, which ends with this one. */
  split(words: readonly string[], env?: { readonly [name: string]: string }): Promise<TerminalPane>
}

/** One pane of a terminal. */
export type TerminalPane = Omit<TerminalSession, 'split' | typeof Symbol.asyncDispose>

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
  const size = ['-x', '160', '-y', '50']
  const made = await tmux('-f', '/dev/null', 'new-session', '-d', '-P', '-F', '#{pane_id}', ...size, lineOf(words, env))
  return {
    ...paneOf(tmux, made.trim()),
    async split(others, variables = {}) {
      const pane = await tmux('split-window', '-d', '-P', '-F', '#{pane_id}', lineOf(others, variables))
      return paneOf(tmux, pane.trim())
    },
    async [Symbol.asyncDispose]() {
      await tmux('kill-server').catch(() => {})
    },
  }
}

function lineOf(words: readonly string[], env: { readonly [name: string]: string }): string {
  const variables = Object.entries({ CI: '', NO_COLOR: '', ...env }).map(([name, value]) => `${name}=${value}`)
  return `${['env', ...variables, ...words].map(quoted).join(' ')}; echo "exit:$?"; exec cat`
}

function paneOf(tmux: (...args: readonly string[]) => Promise<string>, pane: string): TerminalPane {
  const screen = (): Promise<string> => tmux('capture-pane', '-t', pane, '-p', '-J')
  const row = (): Promise<string> => tmux('display-message', '-t', pane, '-p', '#{history_size} #{cursor_y}')
  const type = async (...keys: readonly string[]): Promise<void> =>
    void (await tmux('send-keys', '-t', pane, '--', ...keys))
  return {
    async until(wanted) {
      const since = Date.now()
      for (let looks = 0; ; looks++) {
        const shown = await screen()
        if (wanted.test(shown)) return shown
        if (/^exit:\d/m.test(shown) && !wanted.test(await screen()))
          throw new Error(`Never showed ${wanted}:\n${shown}`)
        if (Date.now() - since > giveUpMs) throw new Error(`Waited in vain for ${wanted}; it shows:\n${shown}`)
        await pause(looks)
      }
    },
    colours: () => tmux('capture-pane', '-t', pane, '-p', '-e'),
    type,
    async answer(...keys) {
      const asked = await row()
      for (let attempt = 1; ; attempt++) {
        await type(...keys)
        const giveUpAt = Date.now() + attempt * retypeMs
        for (let looks = 0; Date.now() < giveUpAt; looks++) {
          if ((await row()) !== asked) return
          await pause(looks)
        }
      }
    },
  }
}

/** Each look is a process of its own, so that what takes long is looked at less often. */
function pause(looks: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.min(50 + looks * 10, 250)))
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`
}
