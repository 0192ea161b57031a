import { realpath } from 'node:fs/promises'
import { resolve } from 'node:path'
import { liesIn } from '@trunkline/server-kit/folders'
import { ToolProblem } from '@trunkline/server-kit/tool-problem'
import type { Repository } from './repository.ts'

/** Lines in a row that one commit wrote. */
export interface BlameRun {
  readonly from: number
  readonly lines: number
  readonly sha: string
  readonly author: string
  readonly date: string
  readonly subject: string
}

/** Lines of a file that are wanted. */
export interface BlameQuery {
  readonly id: string
  readonly path: string
  readonly from: number
  readonly lines: number
}

/** The commits that wrote lines of a file, in runs. */
export async function readBlame(repository: Repository, query: BlameQuery): Promise<readonly BlameRun[]> {
  const { id, path, from, lines } = query
  await refuseForeignList(repository)
  const range = `-L${from},+${lines}`
  const args = ['blame', '--porcelain', '--no-progress', '--no-textconv', range, id, '--', path]
  return parseBlame((await repository.run(args)).toString())
}

/** Refuses a list of commits to pass over that lies outside: git would tell its first line. */
async function refuseForeignList({ root, settings }: Repository): Promise<void> {
  for (const { key, value } of settings.filter((each) => each.key === 'blame.ignorerevsfile' && each.value !== '')) {
    const real = await realpath(resolve(root, value)).catch(() => undefined)
    if (real !== undefined && liesIn(root, real)) continue
    throw new ToolProblem('refused', `Cannot blame: the repository sets "${key}" to a file that is not in it`, {
      next: `Take it out: git config --local --unset-all ${key}`,
    })
  }
}

/** Parses `git blame --porcelain`. */
export function parseBlame(output: string): readonly BlameRun[] {
  const commits = new Map<string, { author: string; date: string; subject: string }>()
  const runs: (BlameRun & { lines: number })[] = []
  let sha = ''
  for (const line of output.split('\n')) {
    const [, id, at = ''] = /^([0-9a-f]{40,64}) \d+ (\d+)(?: \d+)?$/.exec(line) ?? []
    const known = commits.get(sha)
    if (id !== undefined) {
      sha = id
      if (!commits.has(id)) commits.set(id, { author: '', date: '', subject: '' })
      const last = runs.at(-1)
      if (last?.sha === id && last.from + last.lines === Number(at)) last.lines++
      else runs.push({ from: Number(at), lines: 1, sha: id, author: '', date: '', subject: '' })
    } else if (known && line.startsWith('author ')) known.author = line.slice(7)
    else if (known && line.startsWith('author-time '))
      known.date = new Date(Number(line.slice(12)) * 1_000).toISOString()
    else if (known && line.startsWith('summary ')) known.subject = line.slice(8)
  }
  return runs.map((run) => ({ ...run, ...commits.get(run.sha) }))
}
