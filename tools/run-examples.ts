/** Runs every example to its end; each is a folder whose `main.ts` checks what it shows. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './lib/files.ts'
import { type Problem, report } from './lib/problem.ts'
import { run } from './lib/run.ts'

/** Runs the examples in a folder at the same time, and finds those that fail. */
export async function runExamples(folder: string): Promise<Problem[]> {
  const stories = storiesIn(folder)
  if (stories.length === 0) return [{ path: folder, message: 'Cannot run examples: there are none' }]
  const problems = await Promise.all(stories.map((story) => runExample(join(folder, story, 'main.ts'))))
  return problems.flat()
}

async function runExample(path: string): Promise<Problem[]> {
  if (!existsSync(path)) return [{ path, message: 'Cannot run this example: no such file' }]
  const { passed, output } = await run(process.execPath, [path])
  return passed ? [] : [{ path, message: `This example failed\n${output}` }]
}

function storiesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
}

if (import.meta.main) {
  const folder = join(root, 'examples')
  report(await runExamples(folder), `examples run: ${storiesIn(folder).length}`)
}
