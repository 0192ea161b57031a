import { fileURLToPath } from 'node:url'
import { defaultFolder } from '../config/default-folder.ts'
import type { Machine } from '../config/machine.ts'
import type { ServerSpec } from '../servers/server-spec.ts'

/** The bundled files server, read-only on a directory; undefined for one that holds more than a project. */
export function bundledFiles(
  directory: string,
  machine: Machine,
  base: { readonly [name: string]: string },
): ServerSpec | undefined {
  const folder = defaultFolder(directory, machine.home)
  if (folder === undefined) return undefined
  const program = fileURLToPath(import.meta.resolve('#files-server'))
  const args = [program, '--read-only', folder]
  const launch = { kind: 'program', command: process.execPath, args, cwd: folder, env: {}, base } as const
  return { name: 'files', source: 'built in, while nothing is configured', launch }
}
