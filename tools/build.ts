/** Emits the package that is published, into `packages/mcp/dist/`. */
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { root } from './lib/files.ts'
import type { Manifest, Target } from './lib/manifest.ts'
import { fail } from './lib/problem.ts'
import { must, tsc } from './lib/run.ts'
import { publishedEngines } from './lib/supported.ts'

const library = join(root, 'packages/mcp')

/** The folder that is packed. */
export const dist = join(library, 'dist')

/** Files that users may want to read without a network. */
const shipped = ['README.md', 'LICENSE', 'CHANGELOG.md', 'SECURITY.md', 'docs']

/** Writes declarations, code and all that ships beside them. */
export async function build(): Promise<void> {
  rmSync(dist, { recursive: true, force: true })
  await must(process.execPath, tsc('-p', join(library, 'tsconfig.build.json')))
  const manifest = JSON.parse(readFileSync(join(library, 'package.json'), 'utf8')) as Manifest
  completeDeclarations()
  await bundle(entriesOf(manifest))
  writeFileSync(join(dist, 'package.json'), `${JSON.stringify(publishedManifest(manifest), undefined, 2)}\n`)
  for (const name of shipped) cpSync(join(root, name), join(dist, name), { recursive: true })
}

/** Says whether the command line tells that all is built: the gate builds once for all of its steps. */
export function isBuilt(): boolean {
  return process.argv.includes('--built')
}

/** Makes declarations hold for users: files are imported as they are published, and what they need is named. */
function completeDeclarations(): void {
  for (const path of globSync('**/*.d.ts', { cwd: dist }).map((name) => join(dist, name))) {
    writeFileSync(path, completeDeclaration(readFileSync(path, 'utf8')))
  }
}

/** One declaration file as it is published. */
export function completeDeclaration(text: string): string {
  const published = text.replaceAll(/((?:from|import)[ (]['"]\.[^'"]*)\.ts(?=['"])/g, '$1.js')
  // most programs are compiled with a library that lacks this
  const needsDisposable = /\bAsyncDisposable\b|\bSymbol\.asyncDispose\b/.test(published)
  return needsDisposable ? `/// <reference lib="esnext.disposable" />\n${published}` : published
}

/** Joins the sources into a few files: loading a hundred small ones takes longer than all they do at start. */
async function bundle(entries: readonly string[]): Promise<void> {
  const bundled = await rolldown({
    input: Object.fromEntries(entries.map((path) => [emitted(path, ''), join(library, path)])),
    // imports by the package's own map or from others stay imports; the helpers of lowered syntax are no package
    external: (id) => !/^[./\0]|^@oxc-project\/runtime/.test(id),
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

/** Every source file that the package's own maps point at. */
function entriesOf({ exports = {}, imports = {} }: Manifest): readonly string[] {
  const paths = (target: Target): readonly string[] =>
    typeof target === 'string' ? [target] : Object.values(target).flatMap(paths)
  const all = [...Object.values(exports), ...Object.values(imports)].flatMap(paths)
  return [...new Set(all.filter((path) => path.endsWith('.ts')))]
}

/** The package.json that points at what was emitted, where that of the workspace points at the sources. */
export function publishedManifest(manifest: Manifest): Manifest {
  const { exports = {}, imports = {} } = manifest
  return {
    ...manifest,
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
