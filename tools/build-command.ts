/** Emits the packages that the command is made of, each into its own `dist/`; `tools/build.ts` emits the library. */
import { chmodSync, cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { rolldown } from 'rolldown'
import { isBundled, publishedManifest } from './build.ts'
import { writeDeclarations } from './lib/declarations.ts'
import { root } from './lib/files.ts'
import type { Manifest, Target } from './lib/manifest.ts'
import { fail } from './lib/problem.ts'
import { must } from './lib/run.ts'
import { publishedEngines } from './lib/supported.ts'
import { thirdPartyNotices } from './lib/third-party-notices.ts'

/** Fields read from the package.json of a program. */
type ProgramManifest = Manifest & { readonly bin?: { readonly [name: string]: string } }

const host = join(root, 'packages/host')
const files = join(root, 'packages/servers/files')
const git = join(root, 'packages/servers/git')
const code = join(root, 'packages/servers/code')
const github = join(root, 'packages/servers/github')
const cli = join(root, 'packages/cli')
const consolePage = join(root, 'packages/console')

/** Folder of the command's parts in its package. */
const emittedFolder = 'lib/command'

/** The bundled servers among the parts of the command. */
const servers = { 'files-server': files, 'git-server': git, 'code-server': code, 'github-server': github }

/** Packages that programs of others import, those first that the others need. */
const imported = [files, git, github, code, host]

/** The folder of the command that is packed; it holds all that it needs. */
export const commandPackage = join(cli, 'dist')

/** The emitted folders of the packages that programs of others import. */
export const hostPackages: readonly string[] = imported.map((folder) => join(folder, 'dist'))

/** Builds the page, the host, the bundled servers and the command. */
export async function buildCommand(): Promise<void> {
  for (const dist of [commandPackage, ...hostPackages]) rmSync(dist, { recursive: true, force: true })
  await must(process.execPath, [join(consolePage, 'build.js')], { cwd: consolePage })
  await Promise.all(imported.map(bundleEntries))
  await bundleProgram()
  await writeDeclarations(imported)
}

/** Joins the sources of a package with entries into a few files. */
async function bundleEntries(folder: string): Promise<void> {
  const manifest = readManifest(folder)
  const { exports = {}, bin = {} } = manifest
  const sources = [...Object.values(exports), ...Object.values(bin)].filter(isSource)
  const input = Object.fromEntries([...new Set(sources)].map((path) => [emitted(path), join(folder, path)]))
  const dist = join(folder, 'dist')
  await bundle(input, {
    dir: dist,
    chunkFileNames: 'chunks/[name].js',
    external: (id) => !isBundled(id),
    sourcemap: true,
  })
  const programs = Object.entries(bin).map(([name, path]) => [name, `./${emitted(path)}.js`])
  const published = {
    ...publishedManifest(manifest),
    ...(programs.length > 0 && { bin: Object.fromEntries(programs) }),
  }
  finish(dist, published)
}

/**
 * Joins the sources of the command and all that they need: what every run needs in one file, each command in another. All
 * of them lie as deep as the sources do, so that what those find beside the package is found; the page lies where its
 * package would have it. Packages bring declarations, maps and parts that are never loaded, eight times what is used of them.
 */
async function bundleProgram(): Promise<void> {
  const dist = commandPackage
  const input = {
    main: join(cli, 'src/main.ts'),
    'host-flags': join(cli, 'src/service/host-flags.ts'),
    ...Object.fromEntries(Object.entries(servers).map(([name, folder]) => [name, join(folder, 'src/main.ts')])),
  }
  const modules = await bundle(input, {
    dir: join(dist, emittedFolder),
    chunkFileNames: '[name].js',
    external: (id) => /^node:|^@opentelemetry\/api$/.test(id),
    sourcemap: false,
  })
  const page = join(consolePage, 'dist')
  const ofPage = readFileSync(join(page, '.packages'), 'utf8').split('\n')
  const ofGrammars = placeTreeSitter(join(dist, emittedFolder, 'tree-sitter'))
  writeFileSync(join(dist, 'THIRD-PARTY.txt'), thirdPartyNotices([...modules, ...ofPage, ...ofGrammars]))
  cpSync(page, join(dist, 'lib/dist'), { recursive: true, filter: (path) => !isBuildNote(path) })
  cpSync(join(cli, 'man'), join(dist, 'man'), { recursive: true })
  cpSync(join(cli, 'bin'), join(dist, 'bin'), { recursive: true })
  const launcher = join(dist, 'bin/trunkline.js')
  writeFileSync(launcher, publishedLauncher(readFileSync(launcher, 'utf8')))
  chmodSync(launcher, 0o755)
  const { dependencies: _joined, devDependencies: _bundled, ...manifest } = readManifest(cli)
  const engines = publishedEngines(manifest.name)
  const imports = Object.fromEntries(Object.keys(servers).map((name) => [`#${name}`, `./${emittedFolder}/${name}.js`]))
  finish(dist, { ...manifest, engines, imports })
}

/**
 * Copies tree-sitter for the server of code, its grammars compressed, and tells which files were taken. The quality is that
 * from which more time makes little smaller: 22 MB become 1.5 in a second, and 1.3 in a minute.
 */
function placeTreeSitter(folder: string): readonly string[] {
  const library = createRequire(join(code, 'package.json')).resolve('@vscode/tree-sitter-wasm')
  const source = dirname(library)
  mkdirSync(folder, { recursive: true })
  cpSync(library, join(folder, 'tree-sitter.cjs'))
  cpSync(join(source, 'tree-sitter.wasm'), join(folder, 'tree-sitter.wasm'))
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5 }
  const grammars = globSync('tree-sitter-*.wasm', { cwd: source })
  for (const name of grammars)
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(readFileSync(join(source, name)), { params }))
  return [library, ...grammars.map((name) => join(source, name))]
}

/** True for a file that only records how the page was built. */
function isBuildNote(path: string): boolean {
  return ['.sources', '.packages'].includes(basename(path))
}

/** The launcher for what was emitted, which every Node since 22.13 can run. */
export function publishedLauncher(text: string): string {
  const changes = [
    ["'../src/main.ts'", "'../lib/command/main.js'"],
    ["'../src/service/host-flags.ts'", "'../lib/command/host-flags.js'"],
    ['[22, 18]', '[22, 13]'],
  ] as const
  return changes.reduce((changed, [from, to]) => {
    if (!changed.includes(from)) throw new Error(`Cannot build the command: its launcher does not name ${from}`)
    return changed.replace(from, to)
  }, text)
}

interface Emitting {
  readonly dir: string
  readonly chunkFileNames: string
  /** True for a module that stays an import. */
  readonly external: (id: string) => boolean
  readonly sourcemap: boolean
}

/** Writes the files that sources are joined into, and tells which sources went into them. */
async function bundle(
  input: { readonly [name: string]: string },
  { external, ...output }: Emitting,
): Promise<readonly string[]> {
  const bundled = await rolldown({
    input: { ...input },
    external: (id) => external(id),
    platform: 'node',
    // of a package in both forms the one is taken whose imports can be followed
    resolve: { mainFields: ['module', 'main'] },
    transform: { target: 'es2022' },
  })
  // documentation is for readers of the sources; licences stay
  const comments = { legal: true, annotation: true, jsdoc: false }
  const written = await bundled.write({ ...output, format: 'esm', comments })
  await bundled.close()
  return written.output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
}

function finish(dist: string, manifest: Manifest): void {
  writeFileSync(join(dist, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`)
  for (const name of ['LICENSE', 'README.md']) cpSync(join(root, name), join(dist, name))
}

function readManifest(folder: string): ProgramManifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as ProgramManifest
}

function isSource(target: Target): target is string {
  return typeof target === 'string' && target.endsWith('.ts')
}

function emitted(path: string): string {
  return path.replace(/^\.\/src\//, '').replace(/\.ts$/, '')
}

if (import.meta.main) {
  const shown = [...hostPackages, commandPackage].map((dist) => dirname(dist).slice(root.length + 1)).join(', ')
  await buildCommand().then(() => console.log(`built ${shown}`), fail)
}
