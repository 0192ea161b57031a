import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { emitDeclarations } from '../lib/declarations.ts'
import { root } from '../lib/files.ts'
import { type Manifest, pathsOf } from '../lib/manifest.ts'

/** The declarations of one entry of a package. */
export interface Entry {
  /** Name that users import. */
  readonly name: string
  readonly path: string
}

/** Writes the declarations of the library where only tools see them, and says which of them users import. */
export async function emitLibrary(): Promise<readonly Entry[]> {
  const library = join(root, 'packages/mcp')
  // one folder for each process, as several checks may run at the same time
  const folder = join(root, 'node_modules/.cache/declarations', String(process.pid))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  await emitDeclarations([library], folder)
  const { name, exports = {} } = JSON.parse(readFileSync(join(library, 'package.json'), 'utf8')) as Manifest
  return Object.entries(exports).flatMap(([entry, target]) => {
    const [source = ''] = pathsOf(target)
    if (!source.endsWith('.ts')) return []
    return [
      {
        name: `${name}${entry.slice(1)}`,
        path: join(folder, 'packages/mcp', source.replace(/\.ts$/, '.d.ts')),
      },
    ]
  })
}
