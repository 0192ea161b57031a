import { ToolProblem } from '@trunkline/server-kit/tool-problem'
import type { MeantRepo } from './github-setup.ts'

/** A check of a commit. */
export interface CheckItem {
  readonly id?: number
  readonly name: string
  readonly state: 'passed' | 'failed' | 'pending'
  readonly link?: string
  readonly log?: string
  readonly annotations?: readonly { readonly path: string; readonly line: number; readonly text: string }[]
}

/** The checks of a commit and what they say together. */
export interface Checks {
  readonly state: CheckItem['state'] | 'none'
  readonly items: readonly CheckItem[]
}

const goodEnds = ['success', 'neutral', 'skipped']

/** Reads check runs and statuses of a commit; a part that the token may not read is left out. */
export async function readChecks({ request, owner, repo }: MeantRepo, ref: string): Promise<Checks> {
  const at = { owner, repo, ref, per_page: 100 }
  const [runs, statuses] = await Promise.all([
    orMissing(request('GET /repos/{owner}/{repo}/commits/{ref}/check-runs', at).then(({ data }) => data.check_runs)),
    orMissing(request('GET /repos/{owner}/{repo}/commits/{ref}/status', at).then(({ data }) => data.statuses)),
  ])
  // where both are missing, the commit is
  if (runs instanceof ToolProblem && statuses instanceof ToolProblem) throw runs
  const items = [
    ...(runs instanceof ToolProblem ? [] : runs).map(({ id, name, status, conclusion, html_url }): CheckItem => {
      const end = goodEnds.includes(`${conclusion}`) ? 'passed' : 'failed'
      return {
        id: Number(id),
        name,
        state: status === 'completed' ? end : 'pending',
        ...(html_url && { link: html_url }),
      }
    }),
    ...(statuses instanceof ToolProblem ? [] : statuses).map(({ context, state, target_url }): CheckItem => {
      const ends = { success: 'passed', pending: 'pending' } as const
      return {
        name: context,
        state: ends[state as keyof typeof ends] ?? 'failed',
        ...(target_url && { link: target_url }),
      }
    }),
  ]
  return { state: together(items), items }
}

function together(items: readonly CheckItem[]): Checks['state'] {
  if (items.length === 0) return 'none'
  if (items.some(({ state }) => state === 'failed')) return 'failed'
  return items.some(({ state }) => state === 'pending') ? 'pending' : 'passed'
}

/** Statuses and check runs are parts that a token may not see, or that a GitHub of one's own does not have. */
function orMissing<Part>(reading: Promise<Part>): Promise<Part | ToolProblem> {
  return reading.catch((error: unknown) => {
    if (error instanceof ToolProblem && ['missing_scope', 'refused', 'not_found'].includes(error.code)) return error
    throw error
  })
}
