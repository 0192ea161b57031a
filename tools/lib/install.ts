import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './files.ts'
import { must } from './run.ts'

const limitMs = 600_000

/** Installs what the lock of a folder names that stands apart from the project, once and whenever the lock is newer. */
export async function installApart(folder: string): Promise<void> {
  const cwd = join(root, folder)
  if (isInstalled(cwd)) return
  // a script of npm hands its settings down, and here they would point back at the workspace
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')))
  await must('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd, env, limitMs })
}

function isInstalled(cwd: string): boolean {
  const installed = join(cwd, 'node_modules/.package-lock.json')
  return existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(cwd, 'package-lock.json')).mtimeMs
}
