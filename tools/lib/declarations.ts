import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, posix, relative } from 'node:path'
import { root } from './files.ts'
import { must, tsc } from './run.ts'

/** Folder of a published package with the declarations of `@trunkline/base` that its own ones name. */
const baseFolder = 'base'
const base = join(root, 'packages/base')
const baseEntry = /(?<=['"])@trunkline\/base\/([\w-]+)(?=['"])/g

/** Writes what TypeScript programs see of packages into the `dist/` of each. */
export async function writeDeclarations(folders: readonly string[]): Promise<void> {
  const emitted = mkdtempSync(join(tmpdir(), 'declarations-'))
  try {
    await emitDeclarations(folders, emitted)
    for (const folder of folders) placeDeclarations(emitted, folder)
  } finally {
    rmSync(emitted, { recursive: true })
  }
}

/** Writes the declarations of packages and of the base below a folder, each at its path in the workspace. */
export async function emitDeclarations(folders: readonly string[], outDir: string): Promise<void> {
  const config = join(outDir, 'tsconfig.json')
  const compilerOptions = {
    noEmit: false,
    // the step "types" checks all sources, and this writes down what it found right
    noCheck: true,
    declaration: true,
    stripInternal: true,
    emitDeclarationOnly: true,
    rewriteRelativeImportExtensions: true,
    rootDir: root,
    outDir,
    typeRoots: [join(root, 'node_modules/@types')],
  }
  const include = [base, ...folders].map((folder) => join(folder, 'src'))
  const exclude = include.map((folder) => join(folder, '**/*.test.ts'))
  mkdirSync(outDir, { recursive: true })
  writeFileSync(config, JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions, include, exclude }))
  await must(process.execPath, tsc('-p', config))
}

function placeDeclarations(emitted: string, folder: string): void {
  const dist = join(folder, 'dist')
  const ofBase = new Set<string>()
  const place = (from: string, name: string): void => {
    const target = join(dist, name)
    mkdirSync(dirname(target), { recursive: true })
    const text = readFileSync(from, 'utf8')
    for (const [, entry = ''] of text.matchAll(baseEntry)) ofBase.add(entry)
    writeFileSync(target, completeDeclaration(text, name.replaceAll('\\', '/')))
  }
  const own = join(emitted, relative(root, folder), 'src')
  for (const name of globSync('**/*.d.ts', { cwd: own })) place(join(own, name), name)
  for (const entry of ofBase)
    place(join(emitted, relative(root, base), `src/${entry}.d.ts`), `${baseFolder}/${entry}.d.ts`)
}

/** One declaration file as it is published: files are imported as they are emitted, and what they need is named. */
export function completeDeclaration(text: string, name: string): string {
  const toBase = (_: string, entry: string): string => {
    const path = posix.relative(posix.dirname(name), `${baseFolder}/${entry}.js`)
    return path.startsWith('.') ? path : `./${path}`
  }
  const published = text
    .replaceAll(/((?:from|import)[ (]['"]\.[^'"]*)\.ts(?=['"])/g, '$1.js')
    .replaceAll(baseEntry, toBase)
  // most programs are compiled with a library that lacks this
  const needsDisposable = /\bAsyncDisposable\b|\bSymbol\.asyncDispose\b/.test(published)
  return needsDisposable ? `/// <reference lib="esnext.disposable" />\n${published}` : published
}
