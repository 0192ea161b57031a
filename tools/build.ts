/** Emits the package that is published, into `packages/mcp/dist/`. */
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { writeDeclarations } from './lib/declarations.ts'
import { root } from './lib/files.ts'
import type { Manifest, Target } from './lib/manifest.ts'
import { fail } from './lib/problem.ts'
import { publishedEngines } from './lib/supported.ts'

const library = join(root, 'packages/mcp')

/** The folder that is packed. */
export const dist = join(library, 'dist')

/** Files that users may want to read without a network. */
const shipped = ['README.md', 'LICENSE', 'CHANGELOG.md', 'SECURITY.md', 'docs']

/** Writes declarations, code and all that ships beside them. */
export async function build(): Promise<void> {
  rmSync(dist, { recursive: true, force: true })
  await writeDeclarations([library])
  const manifest = JSON.parse(readFileSync(join(library, 'package.json'), 'utf8')) as Manifest
  await bundle(entriesOf(manifest))
  writeFileSync(join(dist, 'package.json'), `${JSON.stringify(publishedManifest(manifest), undefined, 2)}\n`)
  for (const name of shipped) cpSync(join(root, name), join(dist, name), { recursive: true })
}

/** Joins the sources into a few files: loading a hundred small ones takes longer than all they do at start. */
async function bundle(entries: readonly string[]): Promise<void> {
  const bundled = await rolldown({
    input: Object.fromEntries(entries.map((path) => [emitted(path, ''), join(library, path)])),
    // imports by the package's own map or from others stay imports
    external: (id) => !isBundled(id),
    platform: 'neutral',
    transform: { target: 'es2022' },
  })
  const core = { name: 'core', test: /mcp\/src\/(wire|schema|rpc|model|dialects)\// }
  const codeSplitting = { groups: [core] }
  // errors point into the sources, which the maps bring along
  const sourcemap = true
  await bundled.write({ dir: dist, format: 'esm', chunkFileNames: 'chunks/[name].js', codeSplitting, sourcemap })
  await bundled.close()
}

/** True for a module that becomes part of a published package: its own, those of the base and of what servers share, and helpers of lowered syntax. */
export function isBundled(id: string): boolean {
  return /^[./\0]|^@trunkline\/(?:base|server-kit)\/|^@oxc-project\/runtime/.test(id)
}

/** Every source file that the package's own maps point at. */
function entriesOf({ exports = {}, imports = {} }: Manifest): readonly string[] {
  const paths = (target: Target): readonly string[] =>
    typeof target === 'string' ? [target] : Object.values(target).flatMap(paths)
  const all = [...Object.values(exports), ...Object.values(imports)].flatMap(paths)
  return [...new Set(all.filter((path) => path.endsWith('.ts')))]
}

/** The package.json that points at what was emitted, where that of the workspace points at the sources. */
export function publishedManifest(manifest: Manifest): Manifest {
  const { exports = {}, imports = {}, devDependencies: _bundled, ...rest } = manifest
  return {
    ...rest,
    engines: publishedEngines(manifest.name),
    exports: mapValues(exports, (path) =>
      path.endsWith('.ts') ? { types: `./${emitted(path, '.d.ts')}`, default: `./${emitted(path, '.js')}` } : path,
    ),
    imports: mapValues(imports, (path) => (path.endsWith('.ts') ? `./${emitted(path, '.js')}` : path)),
  }
}

function mapValues(
  targets: { readonly [key: string]: Target },
  change: (path: string) => Target,
): Record<string, Target> {
  return Object.fromEntries(
    Object.entries(targets).map(([key, target]) => [
      key,
      typeof target === 'string' ? change(target) : mapValues(target, change),
    ]),
  )
}

function emitted(path: string, extension: string): string {
  return path.replace(/^\.\/src\//, '').replace(/\.ts$/, extension)
}

if (import.meta.main) await build().then(() => console.log(`built ${dist}`), fail)
