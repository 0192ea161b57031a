import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { cacheFolder, projectFolder } from './places.ts'
import { complaint } from './program.ts'

const installed = join(cacheFolder, 'command/node_modules')

/** The program that Node runs, once it is installed. */
export const trunklineCommand = join(installed, 'trunkline/bin/trunkline.js')

let isInstalled = false

/** Builds and installs the command, once in a run: it is measured as its users get it, and as it is now. */
export function installCommand(): void {
  if (isInstalled) return
  isInstalled = true
  const { status, stderr } = spawnSync(process.execPath, [join(projectFolder, 'tools/build-command.ts')], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`Cannot build the command: ${complaint(stderr)}`)
  rmSync(installed, { recursive: true, force: true })
  mkdirSync(installed, { recursive: true })
  const parts = {
    trunkline: 'cli',
    '@trunkline/host': 'host',
    '@trunkline/files': 'servers/files',
    '@trunkline/mcp': 'mcp',
  }
  for (const [name, folder] of Object.entries(parts)) {
    cpSync(join(projectFolder, 'packages', folder, 'dist'), join(installed, name), { recursive: true })
  }
}
