/** Breaks library, host and command in many small ways, each in a copy of the tree, and tells which of them no test notices. */
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { root } from './lib/files.ts'
import { fail } from './lib/problem.ts'
import { type Mutation, pathOf } from './mutate/mutation.ts'
import { mutations } from './mutate/mutations.ts'
import { runMutations, type Verdict } from './mutate/run-mutations.ts'

const leastPercent = 95
const limitMs = 120_000

const help = `Usage: node tools/mutate.ts [--jobs N] [--list] [text…]

Runs the ${mutations.length} mutations, or those whose source or effect contains a text.
  --jobs N  copies of the tree that are worked on at the same time
  --list    only says which there are
Fails when fewer than ${leastPercent} % are noticed by all the tests that must notice them.
`

/** The mutations that the command line asks for. */
export function chosenMutations(all: readonly Mutation[], texts: readonly string[]): readonly Mutation[] {
  if (texts.length === 0) return all
  return all.filter((mutation) => texts.some((text) => `${sourceOf(mutation)} ${mutation.breaks}`.includes(text)))
}

function sourceOf(mutation: Mutation): string {
  return pathOf(mutation, mutation.file)
}

/** One line about one mutation. */
export function lineOf({ mutation, missedBy, by, ms }: Verdict): string {
  const { breaks } = mutation
  const file = sourceOf(mutation)
  const seconds = `${(ms / 1000).toFixed(1)} s`.padStart(8)
  if (missedBy.length > 0) return `MISS ${seconds}  ${breaks} (${file}): not noticed by ${missedBy.join(', ')}`
  return `ok   ${seconds}  ${breaks} (${file}): ${by}`
}

/** Share of mutations that were noticed, and the verdict on it. */
export function scoreOf(verdicts: readonly Verdict[]): { readonly line: string; readonly isEnough: boolean } {
  const noticed = verdicts.filter(({ missedBy }) => missedBy.length === 0).length
  const percent = (100 * noticed) / Math.max(verdicts.length, 1)
  const line = `${noticed} of ${verdicts.length} mutations noticed: ${percent.toFixed(1)} %, at least ${leastPercent} % must be`
  return { line, isEnough: verdicts.length > 0 && percent >= leastPercent }
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      jobs: { type: 'string', default: `${Math.max(1, Math.floor(availableParallelism() / 2))}` },
      list: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) return console.log(help)
  const chosen = chosenMutations(mutations, positionals)
  if (chosen.length === 0) throw new Error(`Cannot run "${positionals.join(' ')}": no mutation is called that`)
  if (values.list) return console.log(chosen.map((one) => `${sourceOf(one)}: ${one.breaks}`).join('\n'))
  const onVerdict = (verdict: Verdict): void => console.log(lineOf(verdict))
  const verdicts = await runMutations({ root, mutations: chosen, jobs: Number(values.jobs), limitMs, onVerdict })
  const { line, isEnough } = scoreOf(verdicts)
  console.log(line)
  process.exitCode = isEnough ? 0 : 1
}

if (import.meta.main) await main().catch(fail)
