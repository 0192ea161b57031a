/** Programs that tests start hundreds of times, bundled for the time of a run: see lib/program-file.ts. */
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type OutputAsset, type OutputChunk, rolldown } from 'rolldown'
import { root } from '../lib/files.ts'
import { bundlesVariable } from '../lib/program-file.ts'

/** Folders of programs; a module among them that is no program is bundled in vain. */
export const programs = [
  'packages/host/test/programs/*.ts',
  'packages/host/test/store/{holder,writer}.ts',
  'packages/console/test/programs/*.ts',
  'packages/cli/test/fixtures/*.ts',
  'packages/mcp/test/fixtures/*.ts',
  'packages/mcp/test/challenges/{*-server,serve-samples}.ts',
  'packages/mcp/test/conformance/{client,server,client/hand-over,client/resident}.ts',
  'packages/mcp/test/{extensions/every-mechanism,limits/large-answers,properties/zoo-server}.ts',
  'packages/mcp/test/interop/transports/stdio/{contract,trunkline}.ts',
  'packages/mcp/test/threats/children/*-server.ts',
  'packages/mcp/test/requirements/harness/cluster/process.ts',
  'packages/stores/{chaos/server-process,postgres/test/task-process}.ts',
]

/** Code that looks for files beside its own, of which a bundle has none. */
const knowsItsPlace = /\bimport\.meta\.(?:dirname|filename|resolve|url)\b/

/** Below the packages that the bundles import, and outside of those of the workspace. */
const cache = join(root, 'node_modules/.cache/test-programs')

/** Bundles the sources as they are now, and tells the tests by a variable; at the end of the run both are gone. */
export async function bundlePrograms(which: readonly string[] = programs): Promise<Disposable> {
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'run-'))
  const sources = globSync(which, { cwd: root }).filter(
    (path) => !knowsItsPlace.test(readFileSync(join(root, path), 'utf8')),
  )
  await using bundling = await rolldown({
    input: Object.fromEntries(
      sources.map((path) => [path.replaceAll('\\', '/').replace(/\.ts$/, ''), join(root, path)]),
    ),
    platform: 'node',
    external: isExternal,
  })
  const { output } = await bundling.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: 'shared/[name].mjs',
  })
  for (const file of output) if (isMovedAway(file)) rmSync(join(folder, file.fileName))
  process.env[bundlesVariable] = folder
  return {
    [Symbol.dispose]: () => {
      delete process.env[bundlesVariable]
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Says whether a program is among what others share: there it would not know that it is the one that was started. */
function isMovedAway(file: OutputChunk | OutputAsset): boolean {
  return file.type === 'chunk' && file.isEntry && !file.moduleIds.includes(file.facadeModuleId ?? '')
}

/** Packages of others stay imports, except the one that most programs load. */
function isExternal(id: string): boolean {
  return /^[a-z@]/.test(id) && !/^(?:@trunkline\/|zod(?:\/|$))/.test(id)
}
