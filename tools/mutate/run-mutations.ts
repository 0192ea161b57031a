import { type FileOutcome, runFile } from '../run-tests/run-file.ts'
import { type Mutation, pathOf } from './mutation.ts'
import { WorkingCopy } from './working-copy.ts'

/** Result of the tests for one mutation. */
export interface Verdict {
  readonly mutation: Mutation
  /** The test files that were to notice it, and did not. */
  readonly missedBy: readonly string[]
  /** The test that noticed it first. */
  readonly by: string
  readonly ms: number
}

/** Mutations to run, and the options. */
export interface MutationRun {
  readonly root: string
  readonly mutations: readonly Mutation[]
  /** Copies of the tree that are worked on at the same time. */
  readonly jobs: number
  /** Milliseconds that one test file may take. */
  readonly limitMs: number
  /** Told of every verdict as it is there. */
  onVerdict?(verdict: Verdict): void
}

/** Runs every mutation. A test that fails without any of them notices nothing. */
export async function runMutations(run: MutationRun): Promise<readonly Verdict[]> {
  using copies = new DisposableStack()
  const count = Math.max(1, Math.min(run.jobs, run.mutations.length))
  const workers: WorkingCopy[] = []
  for (let at = 0; at < count; at++) workers.push(copies.use(await WorkingCopy.of(run.root)))
  const tests = [...new Set(run.mutations.flatMap(testsOf))]
  const broken = new Set<string>()
  await inParallel(workers, tests, async (copy, test) => {
    if (await failsUnspoiled(copy, test, run)) broken.add(test)
  })
  const verdicts = new Map<Mutation, Verdict>()
  await inParallel(workers, run.mutations, async (copy, mutation) => {
    const verdict = await judge(copy, mutation, { ...run, broken })
    verdicts.set(mutation, verdict)
    run.onVerdict?.(verdict)
  })
  return run.mutations.flatMap((mutation) => verdicts.get(mutation) ?? [])
}

function testsOf(mutation: Mutation): readonly string[] {
  return mutation.noticedBy.map((test) => pathOf(mutation, test))
}

async function inParallel<Item>(
  workers: readonly WorkingCopy[],
  items: readonly Item[],
  work: (copy: WorkingCopy, item: Item) => Promise<void>,
): Promise<void> {
  const left = items.values()
  await Promise.all(
    workers.map(async (copy) => {
      for (const item of left) await work(copy, item)
    }),
  )
}

interface Judging extends MutationRun {
  /** The tests that fail without any mutation. */
  readonly broken: ReadonlySet<string>
}

async function judge(copy: WorkingCopy, mutation: Mutation, run: Judging): Promise<Verdict> {
  const start = performance.now()
  const restore = copy.spoil(mutation)
  const missedBy: string[] = []
  let by = ''
  try {
    for (const test of testsOf(mutation)) {
      const failure = run.broken.has(test) ? undefined : failureOf(await testIn(copy, test, run))
      if (failure === undefined) missedBy.push(run.broken.has(test) ? `${test}, which fails anyway` : test)
      else by ||= failure
    }
  } finally {
    restore()
  }
  return { mutation, missedBy, by, ms: performance.now() - start }
}

/** True if a test fails on the sources as they are; a machine that is busy may fail it once. */
async function failsUnspoiled(copy: WorkingCopy, test: string, run: MutationRun): Promise<boolean> {
  if (failureOf(await testIn(copy, test, run)) === undefined) return false
  return failureOf(await testIn(copy, test, run)) !== undefined
}

function testIn({ path }: WorkingCopy, test: string, { limitMs }: MutationRun): Promise<FileOutcome> {
  const { signal } = new AbortController()
  // one failure is enough
  return runFile(test, { cwd: path, folder: path, limitMs, signal, untilFailure: true })
}

function failureOf(outcome: FileOutcome | undefined): string | undefined {
  const failed = outcome?.records.find((record) => record.outcome === 'failed')
  return failed ? `"${failed.path.join(' › ')}"` : outcome?.problem
}
