import { text } from 'node:stream/consumers'
import { installedBytes } from '../process/installed.ts'
import { NotThereYet, startProgram } from '../process/program.ts'
import { type Entrant, type Measurement, type Plan, sampling } from './measurement.ts'

type Library = NonNullable<Plan['contestants'][number]['library']>

/** Size of a server library on the disk, and the number of files its import loads. */
export const footprint: Measurement = {
  name: 'footprint',
  title: 'what a server library brings',
  groups: (plan) => [
    {
      title: 'installed with all it needs',
      unit: 'KB',
      better: 'less',
      rounds: 1,
      entrants: entrantsOf(plan, async ({ packages }) => installedBytes(packages) / 1024),
    },
    {
      title: 'files loaded by the import',
      unit: 'files',
      better: 'less',
      rounds: 1,
      entrants: entrantsOf(plan, ({ entry }) => filesLoaded(entry)),
    },
  ],
}

function entrantsOf(plan: Plan, count: (library: Library) => Promise<number>): Entrant[] {
  return plan.contestants.flatMap(({ name, library }) =>
    library === undefined
      ? []
      : { contestant: name, variant: library.entry, open: async () => sampling(() => count(library)) },
  )
}

async function filesLoaded(entry: string): Promise<number> {
  const running = startProgram('probe/modules', { env: { ENTRY: entry }, hold: 'pipes' })
  const { stdout } = running.child
  const [words] = await Promise.all([stdout === null ? '' : text(stdout), running.exited])
  if (running.child.exitCode !== 0) throw new NotThereYet(running.lastWords())
  return Number(words)
}
