/** Fails when the names that a package exports are not those written down in its `exports.txt`. */
import { writeFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { type File, packageSources, readFiles, root } from './lib/files.ts'
import { pathsOf, readManifests } from './lib/manifest.ts'
import { readExports } from './lib/modules.ts'
import { type Problem, report } from './lib/problem.ts'

/** Exports of every entry of a package, and the problems met on the way. */
export interface Snapshot {
  readonly path: string
  readonly text: string
  readonly problems: readonly Problem[]
}

/** Finds the exports that are new, lost, or not to be found at all. */
export function checkExports(files: readonly File[]): Problem[] {
  return snapshots(files).flatMap(({ path, text, problems }) => {
    const before = lines(files.find((file) => file.path === path)?.text ?? '')
    const after = lines(text)
    return [
      ...problems,
      ...after.filter((line) => !before.includes(line)).map((line) => ({ path, message: `+ ${line}` })),
      ...before.filter((line) => !after.includes(line)).map((line) => ({ path, message: `- ${line}` })),
    ]
  })
}

/** The `exports.txt` of every package that has entries, as the sources have it now. */
export function snapshots(files: readonly File[]): Snapshot[] {
  return readManifests(files)
    .filter(({ manifest }) => manifest.exports !== undefined)
    .map(({ folder, manifest }) => {
      const problems: Problem[] = []
      const names = Object.entries(manifest.exports ?? {}).flatMap(([entry, target]) => {
        const source = posix.join(folder, pathsOf(target).at(-1) ?? '')
        if (!source.endsWith('.ts')) return []
        return namesOf(source, files, problems)
          .sort()
          .map((name) => `${posix.join(manifest.name, entry)} ${name}`)
      })
      return { path: `${folder}/exports.txt`, text: `${names.join('\n')}\n`, problems }
    })
}

/** The names a module exports, a type marked as one; `export *` is followed. */
function namesOf(path: string, files: readonly File[], problems: Problem[]): string[] {
  const file = files.find((candidate) => candidate.path === path)
  if (file === undefined) problems.push({ path, message: 'Cannot list what this module exports: no such file' })
  const names = readExports(file?.text ?? '').flatMap(({ name, type, from }) => {
    const own =
      name === '*' && from !== undefined ? namesOf(posix.join(posix.dirname(path), from), files, problems) : [name]
    return type ? own.map(asType) : own
  })
  // a value that some other line exports as a type is still a value
  return [...new Set(names)].filter((name) => !names.some((other) => other !== name && asType(other) === name))
}

/** A name that only types can use. */
function asType(name: string): string {
  return name.endsWith(' (type)') ? name : `${name} (type)`
}

function lines(text: string): string[] {
  return text.split('\n').filter((line) => line !== '')
}

if (import.meta.main) {
  const read = () => readFiles(packageSources, 'packages/*/package.json', 'packages/*/exports.txt')
  const now = snapshots(read())
  if (process.argv.includes('--update')) for (const { path, text } of now) writeFileSync(join(root, path), text)
  const problems = checkExports(read())
  if (problems.length > 0) console.error('Run node tools/check-exports.ts --update if this is meant')
  report(problems, `${now.flatMap(({ text }) => lines(text)).length} names exported, as written down`)
}
