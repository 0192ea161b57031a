import { availableParallelism } from 'node:os'
import { oneByOne, type Run } from './plan.ts'
import { empty, type Scenario, timed } from './scenarios.ts'
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

/** Attempts at a scenario. */
const maxTries = 3

/**
 * Judges alone, and up to twice more, what has failed: the suite waits for answers and notices for a fixed time, which a
 * busy machine may miss. A fault is there every time. `onPassed` hears of what passed after all.
 */
export async function judgeAgain(
  judged: readonly Judged[],
  judge: Judge,
  onPassed: (run: Run) => void,
): Promise<Judged[]> {
  const all: Judged[] = []
  for (const { run, verdicts } of judged) {
    const final = new Map([...verdicts, ...(await decided(run, verdicts, judge))])
    for (const [name, first] of final) {
      if (empty.has(name)) continue
      const verdict = await repeated(oneByOne(run, [name]), first, judge, onPassed)
      final.set(name, verdict)
    }
    all.push({ run, verdicts: final })
  }
  return all
}

/** Verdicts on what only a run of each alone can tell. */
async function decided(
  run: Run,
  verdicts: ReadonlyMap<string, Verdict>,
  judge: Judge,
): Promise<ReadonlyMap<string, Verdict>> {
  const names = [...verdicts.keys()].filter((name) => verdicts.get(name)?.isUndecided && !empty.has(name))
  return names.length > 0 ? judge(oneByOne(run, names)) : new Map()
}

async function repeated(run: Run, first: Verdict, judge: Judge, onPassed: (run: Run) => void): Promise<Verdict> {
  let verdict = first
  for (let tries = 1; verdict.problems.length > 0 && tries < maxTries; tries++) {
    verdict = [...(await judge(run)).values()][0] ?? verdict
    if (verdict.problems.length === 0) onPassed(run)
  }
  return verdict
}

/** Results of each scenario, at each of its revisions. */
export function rowsOf(scenarios: readonly Scenario[], judged: readonly Judged[]): Row[] {
  return scenarios.map((scenario) => {
    const own = judged.filter(({ run, verdicts }) => run.side === scenario.side && verdicts.has(scenario.name))
    const verdicts = own.map(({ run, verdicts }) => [run.revision, verdicts.get(scenario.name) as Verdict] as const)
    return { scenario, verdicts: new Map(verdicts) }
  })
}
