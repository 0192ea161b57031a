import { availableParallelism } from 'node:os'
import type { Run } from './plan.ts'
import { type Scenario, timed } from './scenarios.ts'
import type { Row } from './table.ts'
import type { Verdict } from './verdicts.ts'

type Judge = (run: Run) => Promise<ReadonlyMap<string, Verdict>>

interface Judged {
  readonly run: Run
  readonly verdicts: ReadonlyMap<string, Verdict>
}

/** Judges as many runs at the same time as there are cores; what measures time comes last, one by one. */
export async function judgeAll(runs: readonly Run[], judge: Judge, atOnce = availableParallelism()): Promise<Judged[]> {
  const isTimed = ({ names }: Run): boolean => names.some((name) => timed.has(name))
  const together = await inParallel(
    runs.filter((run) => !isTimed(run)),
    atOnce,
    judge,
  )
  return [...together, ...(await inParallel(runs.filter(isTimed), 1, judge))]
}

async function inParallel(runs: readonly Run[], atOnce: number, judge: Judge): Promise<Judged[]> {
  const waiting = [...runs]
  const judged: Judged[] = []
  const work = async (): Promise<void> => {
    for (let run = waiting.shift(); run; run = waiting.shift()) judged.push({ run, verdicts: await judge(run) })
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return judged
}

/** What came of each scenario, at each of its revisions. */
export function rowsOf(scenarios: readonly Scenario[], judged: readonly Judged[]): Row[] {
  return scenarios.map((scenario) => {
    const own = judged.filter(({ run, verdicts }) => run.side === scenario.side && verdicts.has(scenario.name))
    const verdicts = own.map(({ run, verdicts }) => [run.revision, verdicts.get(scenario.name) as Verdict] as const)
    return { scenario, verdicts: new Map(verdicts) }
  })
}
