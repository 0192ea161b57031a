import { decodeOutput } from './decode-output.ts'
import { KeptOutputs } from './kept-outputs.ts'
import { runProgram } from './program-run.ts'
import { wrapLimits } from './wrap-limits.ts'

/** Directory and environment in which help is asked for. */
export interface HelpPlace {
  readonly cwd: string
  readonly env: { readonly [name: string]: string }
  readonly signal: AbortSignal
}

/** Help text of a program; undefined if its output does not look like one. */
export async function probeHelp(
  program: readonly string[],
  flags: readonly string[],
  place: HelpPlace,
): Promise<string | undefined> {
  const [command = '', ...args] = program
  for (const flag of flags) {
    const { stdout, stderr } = await runProgram({
      ...place,
      command,
      args: [...args, flag],
      // a program that does not end with its help is not asked twice
      timeoutMs: 10_000,
      outputs: new KeptOutputs(limits),
      limits,
    })
    // some print their help to stderr
    for (const { head } of [stdout, stderr]) {
      const decoded = decodeOutput(head, true)
      if (decoded.kind === 'text' && isHelp(decoded.text)) return decoded.text
    }
  }
  return undefined
}

const limits = { ...wrapLimits, maxInlineBytes: 262_144, maxOutputBytes: 262_144 }

/** A manual page is too much of it, and laid out for reading. */
function isHelp(text: string): boolean {
  return /\busage\b|^\s+--?\w/im.test(text) && !/^\s*[A-Z][\w-]*\(\d\w*\)\s/.test(text)
}
