import { readFile } from 'node:fs/promises'
import { showWords } from '@trunkline/base/show-words'
import { type Context, McpError } from '@trunkline/mcp'
import { canBeAsked } from '@trunkline/server-kit/asking'
import { ToolProblem } from '@trunkline/server-kit/tool-problem'
import { writeWhole } from './text-files.ts'

/** A program that is to be started, and what it is for. */
export interface ProgramToAccept {
  readonly project: string
  readonly words: readonly string[]
  /** Words for it, such as "the language server of python". */
  readonly what: string
}

/** A command that a person accepted for a project. */
interface AcceptedCommand {
  readonly project: string
  readonly command: readonly string[]
}

/** Commands that a person accepted: in the configuration of this server, by an answer, or earlier in a file. */
export class AcceptedCommands {
  readonly #configured: ReadonlySet<string>
  readonly #file: string | undefined
  readonly #answered = new Set<string>()

  /** `configured` are command lines as {@link showWords} writes them; `file` keeps answers from one start to the next. */
  constructor(configured: readonly string[], file?: string) {
    this.#configured = new Set(configured.map((line) => line.trim()))
    this.#file = file
  }

  async has({ project, words }: ProgramToAccept): Promise<boolean> {
    if (this.#configured.has(showWords(words)) || this.#answered.has(keyOf(project, words))) return true
    const kept = await this.#kept()
    return kept.some((one) => keyOf(one.project, one.command) === keyOf(project, words))
  }

  /** Asks the person where the client can be asked; refuses what is not accepted. */
  async require(program: ProgramToAccept, ctx: Context): Promise<void> {
    if (await this.has(program)) return
    if (!canBeAsked(ctx)) throw refusal(program, 'nobody has accepted its command')
    const answer = await this.#ask(program, ctx)
    if (answer === 'no') throw refusal(program, 'the person did not accept its command')
    this.#answered.add(keyOf(program.project, program.words))
    if (answer === 'always') await this.#keep(program)
  }

  async #ask({ project, words, what }: ProgramToAccept, ctx: Context): Promise<string> {
    const choices = this.#file === undefined ? ['yes', 'no'] : ['yes', 'always', 'no']
    const message = [
      `Start ${what}?`,
      `It runs: ${showWords(words)}`,
      `in: ${project}`,
      'It executes code of this project with your rights. Say yes only if you trust the project; a sandbox around this server limits what it can reach.',
    ].join('\n')
    const schema = {
      type: 'object',
      properties: { start: { type: 'string', enum: choices, title: 'Start it' } },
      required: ['start'],
    } as const
    try {
      const { start } = await ctx.elicit(message, schema)
      return `${start}`
    } catch (error) {
      if (error instanceof McpError && error.code === 'Declined') return 'no'
      throw error
    }
  }

  async #kept(): Promise<readonly AcceptedCommand[]> {
    if (this.#file === undefined) return []
    const text = await readFile(this.#file, 'utf8').catch(() => '[]')
    try {
      const kept = JSON.parse(text) as readonly AcceptedCommand[]
      return kept.filter(({ project, command }) => typeof project === 'string' && Array.isArray(command))
    } catch {
      return []
    }
  }

  async #keep({ project, words }: ProgramToAccept): Promise<void> {
    if (this.#file === undefined) return
    const kept = [...(await this.#kept()), { project, command: words }]
    await writeWhole(this.#file, Buffer.from(`${JSON.stringify(kept, undefined, 2)}\n`), 0o600)
  }
}

function refusal({ project, words, what }: ProgramToAccept, why: string): ToolProblem {
  return new ToolProblem('refused', `Cannot start ${what}: ${why}`, {
    next: `It would run ${JSON.stringify(showWords(words))} in ${JSON.stringify(project)}. The person can accept exactly this in the entry of this server: --accept '${showWords(words)}'`,
  })
}

function keyOf(project: string, words: readonly string[]): string {
  return JSON.stringify([project, words])
}
