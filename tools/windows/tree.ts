import { globSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { transformSync } from 'rolldown/utils'
import { readFiles, root } from '../lib/files.ts'
import { pathsOf, readManifests } from '../lib/manifest.ts'

/** Parts of the repository that tests read, as they are. */
const linked = ['package.json', 'docs', 'examples', 'README.md', 'CHANGELOG.md']

/** Name that the compiler imports what disposes of resources by. */
const helper = '@oxc-project/runtime/helpers/usingCtx'

/**
 * Makes a folder that is the repository for Node 22 under Wine: sources without `using` and `import.meta.main`, and links
 * to all else. Wine shows what a link leads to as if it stood where the link does, so a package of the workspace would
 * count as one of `node_modules`, where Node erases no types; here those packages are small files that lead to the sources.
 */
export function makeTree(folder: string): void {
  mkdirSync(join(folder, 'node_modules'), { recursive: true })
  for (const part of linked) symlinkSync(join(root, part), join(folder, part))
  for (const name of readdirSync(join(root, 'node_modules')))
    if (!/^(?:\.|@trunkline$|trunkline$|@oxc-project$)/.test(name))
      symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  const paths = globSync(['packages/**/*.*', 'tools/**/*.*'], {
    cwd: root,
    exclude: ['**/node_modules/**', '**/dist/**'],
  })
  const files = paths.filter((path) => statSync(join(root, path)).isFile())
  for (const parent of new Set(files.map((path) => dirname(path)))) mkdirSync(join(folder, parent), { recursive: true })
  for (const path of files) {
    const lowered = path.endsWith('.ts') ? loweredSource(path) : undefined
    if (lowered === undefined) symlinkSync(join(root, path), join(folder, path))
    else writeFileSync(join(folder, path), lowered)
  }
  for (const dist of globSync(['packages/*/dist', 'packages/servers/*/dist'], { cwd: root }))
    symlinkSync(join(root, dist), join(folder, dist))
  linkWorkspace(folder)
}

/** A source as Node 22 runs it; undefined if it does already. */
function loweredSource(path: string): string | undefined {
  const text = readFileSync(join(root, path), 'utf8')
  if (!/\busing \w|\bimport\.meta\.main\b/.test(text)) return
  const { code, errors } = transformSync(path, text, { target: 'es2022', sourceType: 'module' })
  if (errors.length > 0) throw new Error(`Cannot compile "${path}": ${errors[0]?.message}`)
  return code.replaceAll('import.meta.main', '(import.meta.filename === process.argv[1])')
}

function linkWorkspace(folder: string): void {
  for (const { folder: own, manifest } of readManifests(readFiles('packages/**/package.json'))) {
    const entries = Object.entries(manifest.exports ?? {}).flatMap(([entry, target]) =>
      pathsOf(target)
        .filter((source) => source.endsWith('.ts'))
        .map((source) => [entry, `${own}/${source.slice(2)}`] as const),
    )
    if (entries.length > 0) writePackage(folder, manifest.name, entries)
  }
  writePackage(folder, '@oxc-project/runtime', [['./helpers/usingCtx', 'tools/windows/using-context.ts']])
}

/** Writes a package whose entries lead to sources outside of `node_modules`. */
function writePackage(folder: string, name: string, entries: readonly (readonly [string, string])[]): void {
  const place = join('node_modules', name)
  const up = '../'.repeat(place.split('/').length)
  const exported = entries.map(([entry, source], at) => {
    const file = `${at}.js`
    mkdirSync(join(folder, place), { recursive: true })
    const from = JSON.stringify(up + source)
    const whole = name === dirname(dirname(helper)) ? `export { default } from ${from}\n` : `export * from ${from}\n`
    writeFileSync(join(folder, place, file), whole)
    return [entry, `./${file}`] as const
  })
  const manifest = { name, type: 'module', exports: Object.fromEntries(exported) }
  writeFileSync(join(folder, place, 'package.json'), JSON.stringify(manifest))
}
