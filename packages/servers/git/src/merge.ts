import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { quoted } from '@trunkline/server-kit/preview'
import { ToolProblem } from '@trunkline/server-kit/tool-problem'
import { gitProblem, type Repository } from './repository.ts'

/** A part of a file that both sides changed; a file that is taken whole has one with no texts. */
export interface Hunk {
  readonly hunk: string
  readonly base?: string
  readonly ours?: string
  readonly theirs?: string
  /** The line of our file that it begins at. */
  readonly line?: number
}

/** A file that cannot be merged without a decision. */
export interface Conflict {
  readonly path: string
  readonly kind: string
  readonly hunks: readonly Hunk[]
}

/** One of the up to three versions of a file in a conflict. */
interface Stage {
  readonly mode: string
  readonly id: string
}

/** A conflict with all that is needed to resolve it. */
export interface OpenConflict extends Conflict {
  readonly ours: Stage | undefined
  readonly theirs: Stage | undefined
  /** Texts between and within hunks; undefined for a file that is taken whole. */
  readonly pieces: readonly (string | Hunk)[] | undefined
}

/** The merge of two commits, made without touching anything. */
export interface MergePlan {
  readonly state: 'clean' | 'conflicts' | 'upToDate'
  readonly ours: string
  readonly theirs: string
  /** True if our side has nothing of its own. */
  readonly isFastForward: boolean
  /** The tree of the merge; where there are conflicts, git's markers stand in its files. */
  readonly tree: string
  readonly conflicts: readonly OpenConflict[]
  /** Names this merge of these two commits. */
  readonly plan: string
}

/** Merges two commits in memory: no work tree, no filters, no hooks. */
export async function planMerge(repository: Repository, ours: string, theirs: string): Promise<MergePlan> {
  repository.allow('merge')
  const isAncestor = async (one: string, other: string) =>
    (await repository.try(['merge-base', '--is-ancestor', one, other])).code === 0
  const name = (tree: string) => createHash('sha256').update(`${ours} ${theirs} ${tree}`).digest('hex').slice(0, 16)
  const both = { ours, theirs, conflicts: [] }
  if (await isAncestor(theirs, ours))
    return { ...both, state: 'upToDate', isFastForward: false, tree: '', plan: name('') }
  if (await isAncestor(ours, theirs))
    return { ...both, state: 'clean', isFastForward: true, tree: '', plan: name(theirs) }
  const args = ['merge-tree', '--write-tree', '-z', '--messages', ours, theirs]
  const outcome = await repository.try(args)
  if (outcome.code > 1) throw mergeProblem(args, outcome)
  const { tree, files } = parseMergeTree(outcome.output.toString())
  if (outcome.code === 0) return { ...both, state: 'clean', isFastForward: false, tree, plan: name(tree) }
  const conflicts: OpenConflict[] = []
  for (const file of files) conflicts.push(await openConflict(repository, file, conflicts.length))
  return { ours, theirs, state: 'conflicts', isFastForward: false, tree, conflicts, plan: name(tree) }
}

interface ConflictedFile {
  readonly path: string
  readonly stages: ReadonlyMap<number, Stage>
  readonly kind: string
}

/** Parses `git merge-tree --write-tree -z --messages`. */
export function parseMergeTree(output: string): { readonly tree: string; readonly files: readonly ConflictedFile[] } {
  const parts = output.split('\0')
  const tree = parts[0] ?? ''
  const stages = new Map<string, Map<number, Stage>>()
  let at = 1
  for (; at < parts.length && parts[at] !== ''; at++) {
    const [, mode = '', id = '', stage = '', path = ''] =
      /^(\d+) ([0-9a-f]+) ([123])\t([\s\S]*)$/.exec(parts[at] ?? '') ?? []
    stages.set(path, (stages.get(path) ?? new Map()).set(Number(stage), { mode, id }))
  }
  const kinds = new Map<string, string>()
  for (at++; at < parts.length && /^\d+$/.test(parts[at] ?? ''); ) {
    const count = Number(parts[at])
    const paths = parts.slice(at + 1, at + 1 + count)
    const kind = parts[at + 1 + count] ?? ''
    if (kind.startsWith('CONFLICT'))
      for (const path of paths) kinds.set(path, kind.replace(/^CONFLICT \((.*)\)$/, '$1'))
    at += count + 3
  }
  const files = [...stages].map(([path, all]) => ({ path, stages: all, kind: kinds.get(path) ?? 'contents' }))
  return { tree, files }
}

const regularFile = /^100/

async function openConflict(repository: Repository, file: ConflictedFile, number: number): Promise<OpenConflict> {
  const { path, stages, kind } = file
  const [base, ours, theirs] = [stages.get(1), stages.get(2), stages.get(3)]
  const whole = { path, kind, ours, theirs, pieces: undefined, hunks: [{ hunk: `${number + 1}.1` }] }
  if (!ours || !theirs || !regularFile.test(ours.mode) || !regularFile.test(theirs.mode)) return whole
  const texts = await Promise.all([ours, base, theirs].map((stage) => textOf(repository, stage)))
  const [ourText, baseText, theirText] = texts
  if (ourText === undefined || baseText === undefined || theirText === undefined) return { ...whole, kind: 'binary' }
  const pieces = await mergedPieces(repository, [ourText, baseText, theirText], number)
  const hunks = pieces.filter((piece) => typeof piece !== 'string')
  return hunks.length === 0 ? whole : { path, kind, ours, theirs, pieces, hunks }
}

async function textOf(repository: Repository, stage: Stage | undefined): Promise<string | undefined> {
  if (stage === undefined) return ''
  const bytes = await repository.run(['cat-file', 'blob', stage.id])
  const text = bytes.toString()
  return bytes.includes(0) || !Buffer.from(text).equals(bytes) ? undefined : text
}

/** The file that three versions make, as text between hunks. */
async function mergedPieces(
  repository: Repository,
  texts: readonly [string, string, string],
  number: number,
): Promise<readonly (string | Hunk)[]> {
  const folder = await mkdtemp(join(tmpdir(), 'trunkline-merge-'))
  try {
    const files = ['ours', 'base', 'theirs'].map((name) => join(folder, name))
    await Promise.all(files.map((file, at) => writeFile(file, texts[at] ?? '', { mode: 0o600 })))
    // a size that no line of the files has by chance
    const size = 60 + (randomBytes(1)[0] ?? 0)
    const labels = ['-L', 'ours', '-L', 'base', '-L', 'theirs']
    const args = ['merge-file', '-p', '--diff3', `--marker-size=${size}`, ...labels, ...files]
    const outcome = await repository.try(args)
    if (outcome.code > 127) throw gitProblem(args, outcome)
    return splitHunks(outcome.output.toString(), size, number)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Splits a file with markers of a size into the text between hunks and the hunks. */
export function splitHunks(text: string, size: number, number: number): readonly (string | Hunk)[] {
  const pieces: (string | Hunk)[] = []
  const marks = { '<': ' ours', '|': ' base', '=': '', '>': ' theirs' } as const
  const sides = { between: '', ours: '', base: '', theirs: '' }
  let [side, line, from]: [keyof typeof sides, number, number] = ['between', 1, 1]
  const isMark = (each: string, mark: keyof typeof marks) =>
    each.replace(/\r?\n$/, '') === mark.repeat(size) + marks[mark]
  for (const each of text.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    if (side === 'between' && isMark(each, '<')) {
      if (sides.between !== '') pieces.push(sides.between)
      sides.between = ''
      ;[side, from] = ['ours', line]
    } else if (side === 'ours' && isMark(each, '|')) side = 'base'
    else if (side === 'base' && isMark(each, '=')) side = 'theirs'
    else if (side === 'theirs' && isMark(each, '>')) {
      const hunk = `${number + 1}.${pieces.filter((piece) => typeof piece !== 'string').length + 1}`
      pieces.push({ hunk, base: sides.base, ours: sides.ours, theirs: sides.theirs, line: from })
      Object.assign(sides, { ours: '', base: '', theirs: '' })
      side = 'between'
    } else {
      sides[side] += each
      if (side === 'between' || side === 'ours') line++
    }
  }
  return sides.between === '' ? pieces : [...pieces, sides.between]
}

function mergeProblem(args: readonly string[], outcome: Parameters<typeof gitProblem>[1]): ToolProblem {
  const { complaint } = outcome
  if (/unknown (?:option|switch)|usage: git merge-tree/.test(complaint))
    return new ToolProblem('unavailable', 'Cannot merge: this git is older than 2.38', { next: 'Install a newer git' })
  if (/unrelated histories/.test(complaint))
    return new ToolProblem('refused', 'Cannot merge: both sides have no commit in common')
  return gitProblem(args, outcome)
}

/** Refuses a merge that is another one than was planned. */
export function refuseOtherPlan({ plan }: MergePlan, given: string): void {
  if (plan !== given)
    throw new ToolProblem(
      'conflict',
      `Cannot merge: the plan ${quoted(given)} is not the one of these two commits now`,
      {
        next: 'Call merge_ref without "plan" and look at it again',
      },
    )
}
