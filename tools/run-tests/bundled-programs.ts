/** Programs that tests start hundreds of times, bundled for the time of a run: a bundle starts in half the processor time. */
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { root } from '../lib/files.ts'

const program = join(root, 'packages/host/test/programs/upstream-tools.ts')

/** The folder that the programs look into: a file for each run, named by its process, with the path of the bundle. */
const bundlesFolder = join(root, 'node_modules/.cache/test-programs')

/** Bundles the sources as they are now; at the end of the run the programs start from their sources again. */
export async function bundlePrograms(folder = bundlesFolder): Promise<Disposable> {
  mkdirSync(folder, { recursive: true })
  removeUnused(folder)
  await using bundling = await rolldown({ input: program, platform: 'node' })
  const { output } = await bundling.generate({ format: 'esm', codeSplitting: false })
  const { code } = output[0]
  // the name follows the content, so that what Node keeps compiled of it serves the next run too
  const bundle = join(folder, `${createHash('sha256').update(code).digest('hex').slice(0, 16)}.mjs`)
  writeFileSync(`${bundle}.${process.pid}`, code)
  renameSync(`${bundle}.${process.pid}`, bundle)
  const mark = join(folder, `${process.pid}`)
  writeFileSync(mark, bundle)
  return { [Symbol.dispose]: () => rmSync(mark, { force: true }) }
}

/** Removes marks and bundles, except those of other runs that are under way. */
function removeUnused(folder: string): void {
  const names = readdirSync(folder)
  const marks = names.filter((name) => isRunning(Number(name))).map((name) => join(folder, name))
  const used = new Set(marks.flatMap((mark) => [mark, readFileSync(mark, 'utf8')]))
  for (const path of names.map((name) => join(folder, name))) if (!used.has(path)) rmSync(path)
}

function isRunning(pid: number): boolean {
  try {
    return pid !== process.pid && process.kill(pid, 0)
  } catch {
    return false
  }
}
