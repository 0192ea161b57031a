import { createHash } from 'node:crypto'
import { readFile, realpath, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Context } from '@trunkline/mcp'
import { askForYes, canBeAsked } from '@trunkline/server-kit/asking'
import { liesIn } from '@trunkline/server-kit/folders'
import { quoted } from '@trunkline/server-kit/preview'
import { ToolProblem } from '@trunkline/server-kit/tool-problem'
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
    if (this.#isOn && ctx !== undefined && canBeAsked(ctx)) await this.#ask(repository, hooks, ctx)
    const isAccepted = (hook: Hook) => this.#isOn && this.#decision(repository, hook) === true
    return { run: hooks.filter(isAccepted), skipped: hooks.filter((hook) => !isAccepted(hook)) }
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

  /** True or false for a hook that was decided about; one without a text never runs. */
  #decision(repository: Repository, hook: Hook): boolean | undefined {
    if (hook.text === undefined) return false
    return this.#configured.has(hook.hash) || this.#answered.get(answerKey(repository, hook))
  }

  /** Asks about the hooks that were not decided about; refuses if one of them changed meanwhile. */
  async #ask(repository: Repository, hooks: readonly Hook[], ctx: Context): Promise<void> {
    const isOpen = (hook: Hook) =>
      this.#decision(repository, hook) === undefined && questionAbout(repository, hook) !== ''
    // a call that asks is run again with the answers, and must ask the same then, whatever happened meanwhile
    const asked = await ctx.once('questions about hooks', () =>
      hooks.filter(isOpen).map(({ name, hash }) => ({ name, hash })),
    )
    const now = asked.map(({ name }) => hooks.find((hook) => hook.name === name))
    const answers = await Promise.all(
      asked.map(({ name, hash }, at) =>
        askForYes(ctx, questionAbout(repository, now[at]), { title: 'Run it', key: `hook ${name} ${hash}` }),
      ),
    )
    refuseChanged(asked.filter(({ hash }, at) => now[at]?.hash !== hash))
    for (const [at, hook] of asked.entries()) this.#answered.set(answerKey(repository, hook), answers[at] === true)
  }
}

/** The key of an answer: it holds for one text of one hook of one repository. */
function answerKey({ root }: Repository, { name, hash }: Pick<Hook, 'name' | 'hash'>): string {
  return JSON.stringify([root, name, hash])
}

function refuseChanged(changed: readonly Pick<Hook, 'name'>[]): void {
  if (changed.length === 0) return
  const names = changed.map(({ name }) => name).join(', ')
  throw new ToolProblem('conflict', `The text of a hook changed while the person was asked about it: ${names}`, {
    next: 'Nothing was done, and no hook ran. Find out what changed it, then try again: the person is asked about the text that it has then',
  })
}

/** The question about a hook; empty for one whose text cannot be shown whole. */
function questionAbout({ name: repo }: Repository, hook: Hook | undefined): string {
  const shown = hook?.text && shownText(hook.text)
  return shown === undefined ? '' : `Run the hook "${hook?.name}" of ${quoted(repo)}?\n${shown}\n${consequence}`
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
