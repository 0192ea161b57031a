import { randomUUID } from 'node:crypto'
import { commandPath as launcher } from './command-path.ts'
import { quoted, Tmux } from './tmux-control.ts'

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
  const tmux = new Tmux(`trunkline-${randomUUID()}`, lineOf(words, env))
  const pane = await tmux.pane
  return {
    ...paneOf(tmux, pane),
    async split(others, variables = {}) {
      const made = await tmux.run('split-window', '-d', '-P', '-F', '#{pane_id}', lineOf(others, variables))
      return paneOf(tmux, made.trim())
    },
    [Symbol.asyncDispose]: () => tmux.end(),
  }
}

function lineOf(words: readonly string[], env: { readonly [name: string]: string }): string {
  const variables = Object.entries({ CI: '', NO_COLOR: '', ...env }).map(([name, value]) => `${name}=${value}`)
  return `${['env', ...variables, ...words].map(quoted).join(' ')}; echo "exit:$?"; exec cat`
}

function paneOf(tmux: Tmux, pane: string): TerminalPane {
  const screen = (): Promise<string> => tmux.run('capture-pane', '-t', pane, '-p', '-J')
  const row = (): Promise<string> => tmux.run('display-message', '-t', pane, '-p', '#{history_size} #{cursor_y}')
  const type = async (...keys: readonly string[]): Promise<void> =>
    void (await tmux.run('send-keys', '-t', pane, '--', ...keys))
  return {
    async until(wanted) {
      const since = Date.now()
      for (;;) {
        const printed = tmux.whenPrinted()
        const shown = await screen()
        if (wanted.test(shown)) return shown
        if (/^exit:\d/m.test(shown) && !wanted.test(await screen()))
          throw new Error(`Never showed ${wanted}:\n${shown}`)
        if (Date.now() - since > giveUpMs) throw new Error(`Waited in vain for ${wanted}; it shows:\n${shown}`)
        await printed
      }
    },
    colours: () => tmux.run('capture-pane', '-t', pane, '-p', '-e'),
    type,
    async answer(...keys) {
      const asked = await row()
      for (let attempt = 1; ; attempt++) {
        await type(...keys)
        const giveUpAt = Date.now() + attempt * retypeMs
        while (Date.now() < giveUpAt) {
          const printed = tmux.whenPrinted()
          if ((await row()) !== asked) return
          await printed
        }
      }
    },
  }
}
