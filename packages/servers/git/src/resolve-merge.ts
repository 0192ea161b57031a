import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { quoted } from '@trunkline/server-kit/preview'
import { ToolProblem } from '@trunkline/server-kit/tool-problem'
import type { Hunk, MergePlan, OpenConflict } from './merge.ts'
import type { Repository } from './repository.ts'

/** A decision about one hunk: a side, both of them, or a text. */
export interface Resolution {
  readonly hunk: string
  readonly take?: 'ours' | 'theirs' | 'both'
  readonly text?: string
}

/** The tree of a merge with its conflicts resolved; every hunk needs a decision. */
export async function resolvedTree(
  repository: Repository,
  { tree, conflicts }: MergePlan,
  resolutions: readonly Resolution[],
): Promise<string> {
  if (conflicts.length === 0) return tree
  const decided = decisionsOf(conflicts, resolutions)
  const entries: string[] = []
  for (const conflict of conflicts) entries.push(await entryOf(repository, conflict, decided))
  const folder = await mkdtemp(join(tmpdir(), 'trunkline-index-'))
  try {
    const env = { GIT_INDEX_FILE: join(folder, 'index') }
    await repository.run(['read-tree', tree], { env })
    await repository.run(['update-index', '-z', '--index-info'], { env, input: entries.join('') })
    return (await repository.run(['write-tree'], { env })).toString().trim()
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function decisionsOf(
  conflicts: readonly OpenConflict[],
  resolutions: readonly Resolution[],
): ReadonlyMap<string, Resolution> {
  const decided = new Map(resolutions.map((resolution) => [resolution.hunk, resolution]))
  const hunks = conflicts.flatMap((conflict) => conflict.hunks.map(({ hunk }) => hunk))
  const open = hunks.filter((hunk) => !decided.has(hunk))
  const stray = [...decided.keys()].find((hunk) => !hunks.includes(hunk))
  if (stray !== undefined) throw new ToolProblem('not_found', `Cannot resolve ${quoted(stray)}: there is no such hunk`)
  if (open.length > 0)
    throw new ToolProblem('conflict', `Cannot merge: ${open.length} of ${hunks.length} hunks have no resolution`, {
      next: `Resolve ${open.slice(0, 10).join(', ')}, each with "take" or "text"`,
    })
  return decided
}

/** A line of `update-index --index-info` for a file that was in conflict. */
async function entryOf(
  repository: Repository,
  conflict: OpenConflict,
  decided: ReadonlyMap<string, Resolution>,
): Promise<string> {
  const { path, ours, theirs, pieces, hunks } = conflict
  const mode = ours?.mode ?? theirs?.mode ?? '100644'
  const remove = `0 ${'0'.repeat(40)}\t${path}\0`
  if (pieces === undefined) {
    const { take, text } = decided.get(hunks[0]?.hunk ?? '') ?? {}
    if (text !== undefined)
      return `${mode.replace(/^(?!100).*/, '100644')} ${await writeText(repository, text)}\t${path}\0`
    if (take === 'both')
      throw new ToolProblem('refused', `Cannot take both sides of ${quoted(path)}: it is taken whole`, {
        next: 'Take "ours" or "theirs"',
      })
    const side = take === 'theirs' ? theirs : ours
    return side === undefined ? remove : `${side.mode} ${side.id}\t${path}\0`
  }
  const merged = pieces.map((piece) => (typeof piece === 'string' ? piece : chosen(piece, decided.get(piece.hunk))))
  return `${mode} ${await writeText(repository, merged.join(''))}\t${path}\0`
}

function chosen({ ours = '', theirs = '' }: Hunk, resolution: Resolution | undefined): string {
  if (resolution?.text !== undefined) return resolution.text === '' ? '' : resolution.text.replace(/\n?$/, '\n')
  if (resolution?.take === 'both') return `${ours === '' ? '' : ours.replace(/\n?$/, '\n')}${theirs}`
  return resolution?.take === 'theirs' ? theirs : ours
}

// as it is: what a filter would make of it does not belong into a tree
async function writeText(repository: Repository, text: string): Promise<string> {
  return (await repository.run(['hash-object', '-w', '--no-filters', '--stdin'], { input: text })).toString().trim()
}
