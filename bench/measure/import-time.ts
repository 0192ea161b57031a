import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { erasedFile } from '../process/places.ts'
import { NotThereYet, startProgram } from '../process/program.ts'
import { type Measurement, sampling } from './measurement.ts'

/** Import time of a server library, over the time that Node needs to start and end. */
export const importTime: Measurement = {
  name: 'import',
  title: 'import of the server entry, over bare Node',
  groups: (plan) => [
    {
      title: '',
      unit: 'ms',
      better: 'less',
      rounds: plan.quick ? 2 : 15,
      entrants: plan.contestants.flatMap(({ name, library }) =>
        library === undefined
          ? []
          : { contestant: name, variant: library.entry, open: async () => sampling(() => overBare(library.entry)) },
      ),
    },
  ],
}

async function overBare(entry: string): Promise<number> {
  const bare = await timeOf('')
  return (await timeOf(`import '${entry}'\n`)) - bare
}

async function timeOf(source: string): Promise<number> {
  const program = 'import-time/program'
  mkdirSync(dirname(erasedFile(program)), { recursive: true })
  writeFileSync(erasedFile(program), source)
  const start = performance.now()
  const running = startProgram(program)
  await running.exited
  const time = performance.now() - start
  if (running.child.exitCode !== 0) throw new NotThereYet(running.lastWords())
  return time
}
