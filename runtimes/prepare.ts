import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { build, dist } from '../tools/build.ts'
import { isBuilt } from '../tools/lib/already-built.ts'

const folder = import.meta.dirname

/** Folder of the programs, with their types erased and next to the built package. */
export const cache = join(folder, '.cache')

/** Builds the library as it is published, and the programs that use it. */
export async function prepare(): Promise<void> {
  if (!isBuilt()) await build()
  rmSync(cache, { recursive: true, force: true })
  mkdirSync(join(cache, 'node_modules/@trunkline'), { recursive: true })
  symlinkSync(dist, join(cache, 'node_modules/@trunkline/mcp'), 'junction')
  writeFileSync(join(cache, 'package.json'), '{ "type": "module" }\n')
  await erase(['node', 'bun', 'deno', 'worker'])
  await bundleWorker()
}

/** Programs import the package by its name, as those of users do. */
async function erase(programs: readonly string[]): Promise<void> {
  const erased = await rolldown({
    input: programs.map((name) => join(folder, `programs/${name}.ts`)),
    external: /^(?:node:|@trunkline\/)/,
    platform: 'neutral',
    transform: { target: 'es2022' },
  })
  await erased.write({ dir: cache, format: 'esm' })
  await erased.close()
}

/** A Worker has no packages, so it takes all it needs along. */
async function bundleWorker(): Promise<void> {
  const bundled = await rolldown({
    input: join(cache, 'worker.js'),
    external: /^cloudflare:/,
    platform: 'browser',
    resolve: { conditionNames: ['workerd', 'worker', 'browser', 'import', 'default'] },
  })
  await bundled.write({ file: join(cache, 'worker.bundle.js'), format: 'esm', codeSplitting: false })
  await bundled.close()
}
