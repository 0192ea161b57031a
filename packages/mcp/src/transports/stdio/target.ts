import { McpError } from '../../wire/errors.ts'

/** The program of a server. It is started exactly as it stands here; no shell is involved. */
export interface SpawnTarget {
  readonly command: string
  readonly args?: readonly string[]
  /** Variables to set, whatever this process has. */
  readonly env?: Readonly<Record<string, string>>
  /** Names of variables to take over from this process, beyond the few that any program needs. */
  readonly inheritEnv?: readonly string[]
  /** @default the working directory of this process */
  readonly cwd?: string
}

/** Refuses what could pass for more than one word or line where the target is shown or handed on. */
export function checkTarget({ command, args = [], env = {}, cwd = '' }: SpawnTarget): void {
  const parts = { command: [command], args, env: Object.entries(env).flat(), cwd: [cwd] }
  for (const [name, texts] of Object.entries(parts)) {
    if (texts.some((text) => /[\0\r\n]/.test(text))) {
      throw new McpError('Misuse', `Cannot start ${JSON.stringify(command)}: ${name} contains a line break or NUL`)
    }
  }
}
