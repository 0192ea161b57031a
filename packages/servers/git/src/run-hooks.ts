import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { quoted } from '@trunkline/server-kit/preview'
import { ToolProblem } from '@trunkline/server-kit/tool-problem'
import type { Hook } from './hooks.ts'
import type { GitRunOptions, Repository } from './repository.ts'

/**
 * Accepted hooks, copied into a folder of their own: what was accepted runs, whatever is written over the files in the
 * repository meanwhile. Disposing of it removes the copies.
 */
export class HookFolder implements AsyncDisposable {
  readonly #repository: Repository
  readonly #names: ReadonlySet<string>
  readonly #folder: string

  private constructor(repository: Repository, hooks: readonly Hook[], folder: string) {
    this.#repository = repository
    this.#names = new Set(hooks.map(({ name }) => name))
    this.#folder = folder
  }

  static async of(repository: Repository, hooks: readonly Hook[]): Promise<HookFolder> {
    if (hooks.length === 0) return new HookFolder(repository, hooks, '')
    const folder = await mkdtemp(join(tmpdir(), 'trunkline-hooks-'))
    await mkdir(join(folder, 'hooks'))
    for (const { name, text = '' } of hooks) await writeFile(join(folder, 'hooks', name), text, { mode: 0o700 })
    return new HookFolder(repository, hooks, folder)
  }

  has(name: string): boolean {
    return this.#names.has(name)
  }

  /** Options of a run of git that starts these hooks, and no others. */
  get runOptions(): GitRunOptions {
    // their own calls of git may use patterns
    const env = { GIT_LITERAL_PATHSPECS: '0' }
    return { env, settings: [['core.hooksPath', join(this.#folder, 'hooks')]], endsGroup: true }
  }

  /** Runs a hook if it is one of these; refuses what the hook refuses. */
  async run(name: string, args: readonly string[] = [], env: GitRunOptions['env'] = {}): Promise<void> {
    if (!this.has(name)) return
    const { runOptions } = this
    const options = { ...runOptions, env: { ...runOptions.env, ...env }, maxMs: this.#repository.limits.maxHookMs }
    const { code, complaint } = await this.#repository.try(['hook', 'run', name, '--', ...args], options)
    if (code !== 0) throw hookProblem(name, complaint)
  }

  /** Runs a hook after the deed, which its failure does not undo; a line about the failure. */
  async runAfter(name: string, args: readonly string[] = []): Promise<readonly string[]> {
    try {
      await this.run(name, args)
      return []
    } catch (error) {
      if (error instanceof ToolProblem) return [error.message]
      throw error
    }
  }

  /** Runs a hook that looks at the files of a commit; refuses if it changes them, since others were shown. */
  async checkTree(name: string, tree: string): Promise<void> {
    if (!this.has(name)) return
    const repository = this.#repository
    const env = { GIT_INDEX_FILE: join(this.#folder, 'index') }
    await repository.run(['read-tree', tree], { env })
    await repository.try(['update-index', '-q', '--refresh'], { env })
    await this.run(name, [], env)
    const after = (await repository.run(['write-tree'], { env })).toString().trim()
    if (after !== tree)
      throw new ToolProblem('conflict', `Cannot commit: the hook ${name} changed the files of the commit`, {
        next: 'Look at its changes with show_diff, stage them, and commit again',
      })
  }

  /** The message of a commit as the hooks for messages leave it. */
  async editMessage(message: string, source: 'message' | 'merge'): Promise<string> {
    if (!this.has('prepare-commit-msg') && !this.has('commit-msg')) return message
    const file = join(this.#folder, 'COMMIT_EDITMSG')
    await writeFile(file, `${message.trimEnd()}\n`)
    await this.run('prepare-commit-msg', [file, source])
    await this.run('commit-msg', [file])
    return readFile(file, 'utf8')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#folder !== '') await rm(this.#folder, { recursive: true, force: true })
  }
}

/** The problem that a hook refused. */
export function hookProblem(name: string, complaint: string): ToolProblem {
  const words = complaint.trim().split('\n').slice(-10).join('\n')
  return new ToolProblem('refused', `The hook ${name} refused: it says ${quoted(words, 1_000)}`, {
    next: 'Do what it asks for, and try again',
  })
}
