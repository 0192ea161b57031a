/** Programs that tests start hundreds of times, bundled for the time of a run: a bundle starts in half the processor time. */
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { root } from '../lib/files.ts'

const program = join(root, 'packages/host/test/programs/upstream-tools.ts')

/** The folder that the programs look into: a file for each run, named by its process, with the path of the bundle. */
export const bundlesFolder = join(root, 'node_modules/.cache/test-programs')

/** Bundles the sources as they are now; at the end of the run the programs start from their sources again. */
export async function bundlePrograms(folder = bundlesFolder): Promise<Disposable> {
  mkdirSync(folder, { recursive: true })
  for (const name of readdirSync(folder)) if (!isOfOther(folder, name)) rmSync(join(folder, name))
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

/** Whether a file is the mark or the bundle of another run that is under way. */
function isOfOther(folder: string, name: string): boolean {
  const marks = readdirSync(folder).filter((one) => isRunning(Number(one)))
  return marks.some((mark) => mark === name || readFileSync(join(folder, mark), 'utf8') === join(folder, name))
}

function isRunning(pid: number): boolean {
  try {
    return pid !== process.pid && process.kill(pid, 0)
  } catch {
    return false
  }
}
