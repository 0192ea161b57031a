/** Fails when docs/architecture.md names a file that is gone, or a name that its file does not declare. */
import { type File, readFiles } from './lib/files.ts'
import { readExports } from './lib/modules.ts'
import { type Problem, report } from './lib/problem.ts'

const page = 'docs/architecture.md'
const sources = 'packages/mcp/src'

/** The problems of the page, held against the sources of the library. */
export function checkArchitecture(text: string, files: readonly File[]): Problem[] {
  const byPath = new Map(files.map(({ path, text }) => [path, text]))
  return text.split('\n').flatMap((line, at): Problem[] => {
    const problem = (message: string): Problem => ({ path: `${page}:${at + 1}`, message })
    const paths = Array.from(line.matchAll(/`([\w./-]+\/[\w.-]+\.ts)`/g), ([, path = '']) => fullPath(path))
    const missing = paths.filter((path) => !byPath.has(path))
    if (missing.length > 0)
      return missing.map((path) => problem(`There is no file "${path}": name the one that is there now`))
    const [, name] = /^\| `([A-Z]\w*)` /.exec(line) ?? []
    const source = byPath.get(paths[0] ?? '')
    if (name === undefined || source === undefined) return []
    const isDeclared = readExports(source).some((one) => one.name === name && one.from === undefined)
    return isDeclared ? [] : [problem(`"${paths[0]}" does not declare "${name}"`)]
  })
}

function fullPath(path: string): string {
  return /^(?:tools|packages)\//.test(path) ? path : `${sources}/${path}`
}

if (import.meta.main) {
  const [found] = readFiles(page)
  const files = readFiles(`${sources}/**/*.ts`, 'tools/**/*.ts')
  report(checkArchitecture(found?.text ?? '', files), 'every file that the architecture names is there')
}
