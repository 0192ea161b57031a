/** Fails when a page of the architecture names a file that is gone, a name that its file does not declare, or a test that does not show its rule. */
import { type File, readFiles } from './lib/files.ts'
import { readExports } from './lib/modules.ts'
import { type Problem, report } from './lib/problem.ts'

/** The folder that the paths of a page are below. */
const sourcesOf: { readonly [page: string]: string } = {
  'docs/architecture/README.md': '',
  'docs/architecture/authoring.md': 'packages/authoring/src',
  'docs/architecture/base.md': 'packages/base/src',
  'docs/architecture/cluster.md': 'packages/mcp',
  'docs/architecture/library.md': 'packages/mcp/src',
  'docs/architecture/host.md': 'packages/host/src',
  'docs/architecture/command.md': 'packages/cli/src',
  'docs/architecture/console.md': 'packages/console/src',
  'docs/architecture/servers.md': 'packages/servers',
}

/** The problems of a page, held against the files that it may name. */
export function checkArchitecture({ path: page, text }: File, files: readonly File[]): Problem[] {
  const sources = sourcesOf[page]
  if (sources === undefined) return [{ path: page, message: 'Cannot check it: say in this tool where its paths begin' }]
  const byPath = new Map(files.map(({ path, text }) => [path, text]))
  return text.split('\n').flatMap((line, at): Problem[] => {
    const problem = (message: string): Problem => ({ path: `${page}:${at + 1}`, message })
    const paths = Array.from(line.matchAll(/`([\w./-]+\.tsx?)`/g), ([, path = '']) => fullPath(path, sources))
    const missing = paths.filter((path) => !byPath.has(path))
    if (missing.length > 0)
      return missing.map((path) => problem(`There is no file "${path}": name the one that is there now`))
    const [, rule] = /^\| (\d+) +\|/.exec(line) ?? []
    if (rule !== undefined)
      return paths
        .filter((path) => !new RegExp(`\\(rule ${rule}\\)`).test(byPath.get(path) ?? ''))
        .map((path) => problem(`"${path}" has no title with "(rule ${rule})": name a test that shows it`))
    const [, name] = /^\| `([A-Z]\w*)` /.exec(line) ?? []
    const source = byPath.get(paths[0] ?? '')
    if (name === undefined || source === undefined) return []
    const isDeclared = readExports(source).some((one) => one.name === name && one.from === undefined)
    return isDeclared ? [] : [problem(`"${paths[0]}" does not declare "${name}"`)]
  })
}

function fullPath(path: string, sources: string): string {
  return sources === '' || /^(?:tools|packages)\//.test(path) ? path : `${sources}/${path}`
}

if (import.meta.main) {
  const pages = readFiles('docs/architecture/*.md')
  const files = readFiles('packages/**/src/**/*.{ts,tsx}', 'packages/{mcp/test,stores}/**/*.ts', 'tools/**/*.ts')
  const rows = pages.flatMap(({ text }) => text.match(/^\| .*`[\w./-]+\.tsx?` +\|$/gm) ?? []).length
  report(
    pages.flatMap((page) => checkArchitecture(page, files)),
    `every file that ${pages.length} pages of the architecture name is there: ${rows} rows`,
  )
}
