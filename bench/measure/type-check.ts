import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Contestant } from '../contestants/contestant.ts'
import { compile } from '../process/compiler.ts'
import { cacheFolder } from '../process/places.ts'
import { type Entrant, type Measurement, sampling } from './measurement.ts'

const tools = 200
const compilerOptions = {
  ...{ target: 'es2022', lib: ['es2023', 'dom'], module: 'nodenext', types: ['node'] },
  ...{ strict: true, noEmit: true, skipLibCheck: true },
}

/** Time of the type checker for a large server; the limit is its schemas and handlers with no library. */
export const typeCheck: Measurement = {
  name: 'type-check',
  title: `tsc over a server with ${tools} tools, no two alike`,
  groups: (plan) => [
    {
      title: '',
      unit: 'ms',
      better: 'less',
      rounds: plan.quick ? 1 : plan.rounds,
      entrants: plan.contestants.flatMap(entrantOf),
    },
  ],
}

function entrantOf({ name, typedServer }: Contestant): Entrant | [] {
  if (typedServer === undefined) return []
  return {
    contestant: name,
    variant: '',
    open: async () => {
      const folder = join(cacheFolder, 'type-check', name)
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, 'server.ts'), typedServer(tools))
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['server.ts'] }))
      return sampling(() => timeOf(folder))
    },
  }
}

async function timeOf(folder: string): Promise<number> {
  const start = performance.now()
  await compile(['-p', folder])
  return performance.now() - start
}
