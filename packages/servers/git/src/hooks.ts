import { createHash } from 'node:crypto'
import { readFile, realpath, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Context } from '@trunkline/mcp'
import { askForYes, canBeAsked } from '@trunkline/server-kit/asking'
import { liesIn } from '@trunkline/server-kit/folders'
import { quoted } from '@trunkline/server-kit/preview'
import type { Repository } from './repository.ts'

/** Hooks of git that each kind of write would run. */
export const hooksOf = {
  commit: ['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit'],
  merge: ['pre-merge-commit', 'prepare-commit-msg', 'commit-msg', 'post-merge'],
  switch: ['post-checkout'],
  push: ['pre-push'],
} as const

/** A hook that a repository has. */
export interface Hook {
  readonly name: string
  /** Undefined for one that lies outside of the repository or is too large; it never runs. */
  readonly text: Buffer | undefined
  /** SHA-256 of its text; empty without one. */
  readonly hash: string
}

/** Hooks of one write, by whether they run. */
export interface ChosenHooks {
  readonly run: readonly Hook[]
  readonly skipped: readonly Hook[]
}

const maxHookBytes = 1024 ** 2
/** Limits of a text that is shown whole in a question; a longer one can only be accepted by its hash. */
const [maxShownLines, maxShownChars] = [100, 200]

const consequence =
  'It executes this text with your rights, and what the text starts. Your answer holds for exactly this text until this server ends.'

/** Texts of hooks that a person accepted: by their hashes in the configuration of this server, or by an answer. */
export class AcceptedHooks {
  readonly #isOn: boolean
  readonly #configured: ReadonlySet<string>
  readonly #answered = new Map<string, boolean>()

  /** `mode` is "none" to run no hook at all. */
  constructor(mode: 'none' | 'accepted', hashes: readonly string[] = []) {
    this.#isOn = mode === 'accepted'
    this.#configured = new Set(hashes.map((hash) => hash.toLowerCase()))
  }

  /** The hooks of a write; asks about each that is not accepted, where there is someone to ask. */
  async choose(repository: Repository, kind: keyof typeof hooksOf, ctx?: Context): Promise<ChosenHooks> {
    const hooks = await findHooks(repository, kind)
    // together: a call that asks is run again with the answers, and must ask the same then
    const accepted = await Promise.all(hooks.map((hook) => this.#isOn && this.#accepts(repository, hook, ctx)))
    return { run: hooks.filter((_, at) => accepted[at]), skipped: hooks.filter((_, at) => !accepted[at]) }
  }

  /** Lines of a preview or a result about hooks. */
  lines({ run, skipped }: ChosenHooks): readonly string[] {
    const names = (hooks: readonly Hook[]) => hooks.map(({ name }) => name).join(', ')
    const next = this.#isOn ? skipped.filter(({ hash }) => hash !== '') : []
    return [
      ...(run.length > 0 ? [`runs the hooks ${names(run)}`] : []),
      ...(skipped.length > 0 ? [`does not run the hooks ${names(skipped)}`] : []),
      ...next.map(({ name, hash }) => `to accept the text that ${name} has now: --accept-hook ${hash}`),
    ]
  }

  async #accepts({ root, name: repo }: Repository, hook: Hook, ctx: Context | undefined): Promise<boolean> {
    const { name, text, hash } = hook
    if (text === undefined) return false
    if (this.#configured.has(hash)) return true
    const key = JSON.stringify([root, name, hash])
    const known = this.#answered.get(key)
    const shown = shownText(text)
    if (known !== undefined || ctx === undefined || !canBeAsked(ctx) || shown === undefined) return known ?? false
    const question = `Run the hook "${name}" of ${quoted(repo)}?\n${shown}\n${consequence}`
    const answer = await askForYes(ctx, question, 'Run it')
    this.#answered.set(key, answer)
    return answer
  }
}

/** The hooks that a repository has for a write. */
async function findHooks(repository: Repository, kind: keyof typeof hooksOf): Promise<readonly Hook[]> {
  const path = repository.settings.findLast(({ key }) => key === 'core.hookspath')?.value
  const folder = path === undefined ? join(repository.commonDir, 'hooks') : resolve(repository.root, path)
  const found: Hook[] = []
  for (const name of hooksOf[kind]) {
    const file = join(folder, name)
    const state = await stat(file).catch(() => undefined)
    if (!state?.isFile() || (process.platform !== 'win32' && (state.mode & 0o111) === 0)) continue
    const text = state.size > maxHookBytes ? undefined : await readInside(repository, file)
    found.push({ name, text, hash: text === undefined ? '' : createHash('sha256').update(text).digest('hex') })
  }
  return found
}

async function readInside({ root, commonDir }: Repository, file: string): Promise<Buffer | undefined> {
  const real = await realpath(file)
  return [root, commonDir].some((folder) => liesIn(folder, real)) ? readFile(real) : undefined
}

/** The text of a hook as a question shows it: whole, each line marked; undefined for one that cannot be shown whole. */
function shownText(text: Buffer): string | undefined {
  const lines = text.toString().trimEnd().split('\n')
  const isPlain = Buffer.from(text.toString()).equals(text)
  if (!isPlain || lines.length > maxShownLines || lines.some((line) => line.length > maxShownChars)) return undefined
  return lines.map((line) => `| ${quoted(line, maxShownChars).slice(1, -1)}`).join('\n')
}

/** The names of hooks, as results have them. */
export function hookNames({ run, skipped }: ChosenHooks): {
  readonly hooksRun?: readonly string[]
  readonly hooksSkipped: readonly string[]
} {
  const names = (hooks: readonly Hook[]) => hooks.map(({ name }) => name)
  return { ...(run.length > 0 && { hooksRun: names(run) }), hooksSkipped: names(skipped) }
}
