import { withoutEscapes } from './decode-output.ts'

/** Question of a program in a terminal. */
export interface TerminalQuestion {
  readonly kind: 'line' | 'password' | 'yes-or-no'
  /** The last lines on the screen, of which the last is the question. */
  readonly text: string
  /** Answers for yes and for no. */
  readonly answers: readonly [yes: string, no: string]
}

/** Input mode of a terminal. */
export interface TerminalMode {
  readonly echoes: boolean
  readonly editsLines: boolean
}

/** The question that a program has stopped at; undefined when its last line is none. */
export function questionOn(screen: string, mode: TerminalMode | undefined): TerminalQuestion | undefined {
  const lines = withoutEscapes(screen).split('\n')
  const last = lines.at(-1)?.trimEnd() ?? ''
  // hidden input, line by line, is for a secret
  const isHidden = mode !== undefined && !mode.echoes && mode.editsLines
  if (last === '' || !(isHidden || /[?:>\])»]$/.test(last))) return undefined
  const choice = /[[(]\s*(y|yes)\s*[/|]\s*(n|no)(?:\s*[/|][^\])]*)?\s*[\])]/i.exec(last)
  const kind = isHidden || secretWords.test(last) ? 'password' : choice ? 'yes-or-no' : 'line'
  const [, yes = 'y', no = 'n'] = choice ?? []
  return { kind, text: lines.slice(-6).join('\n').trim(), answers: [yes.toLowerCase(), no.toLowerCase()] }
}

const secretWords = /\b(?:password|passphrase|passcode|PIN|secret|token)\b[^?]*[:>]$/i
