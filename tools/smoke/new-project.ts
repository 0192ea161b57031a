import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { root } from '../lib/files.ts'
import { must } from '../lib/run.ts'

/** Folder and command for making a project. */
export interface Place {
  /** A folder whose `node_modules` holds the packed library. */
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
  /** The folder of the installed command. */
  readonly bin: string
}

/** Makes a project as the installed command makes it, and runs what its README promises: its tests and its check. */
export async function newProjectPasses({ folder, env, bin }: Place): Promise<string> {
  // nothing is fetched: the compiler and the types of Node are those of this repository
  linkTypes(folder)
  const PATH = [bin, env.PATH, join(root, 'node_modules/.bin')].join(delimiter)
  const options = { env: { ...env, PATH }, limitMs: 300_000 }
  await must('trunkline', ['new', 'weather'], { ...options, cwd: folder })
  const cwd = join(folder, 'weather')
  const tested = await must('npm', ['test'], { ...options, cwd })
  if (!/\bpass 3\b/.test(tested) || !/\bfail 0\b/.test(tested))
    throw new Error(`Cannot use a new project: its tests said\n${tested}`)
  await must('npm', ['run', 'check'], { ...options, cwd })
  return 'a new project'
}

function linkTypes(folder: string): void {
  const types = join(folder, 'node_modules/@types/node')
  if (existsSync(types)) return
  mkdirSync(dirname(types), { recursive: true })
  symlinkSync(join(root, 'node_modules/@types/node'), types)
}
