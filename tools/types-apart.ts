/** Checks the types of the folders that stand apart from the project, with what their own locks name. */
import { installApart } from './lib/install.ts'
import { fail } from './lib/problem.ts'
import { must, tsc } from './lib/run.ts'

/** Each folder with types of its own, and whether they need what is installed in it. */
export const folders = [
  { name: 'bench', needsOwn: true },
  { name: 'runtimes', needsOwn: false },
] as const

async function main(): Promise<string> {
  for (const { name, needsOwn } of folders) {
    // programs that are started and not imported have no part in the types
    if (needsOwn) await installApart(name, { withoutPrograms: true })
    await must(process.execPath, tsc('--noEmit', '--project', name))
  }
  return `the types of ${folders.map(({ name }) => name).join(' and ')} are right`
}

if (import.meta.main) await main().then(console.log, fail)
