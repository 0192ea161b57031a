/** Fails when a source asks which system it runs on, or uses what one system has, and `docs/systems.md` does not name it. */
import { type File, isTest, packageSources, readFiles } from './lib/files.ts'
import { lineAt, type Problem, report } from './lib/problem.ts'

const guide = 'docs/systems.md'

/** Marks of code that is not the same everywhere. */
const ofOneSystem =
  /process\.platform|\bplatform [!=]== '|\/proc\/|\binotify\b|['"](?:bwrap|flock|lsof|ps|setsid|stty|sysctl|osascript|launchctl|systemctl|xdg-open)['"]/

/** Compares the sources with the files that the table of systems names, both ways. */
export function checkSystems(files: readonly File[], { path, text }: File): Problem[] {
  const named = new Map(
    [...text.matchAll(/`([\w/-]+\/src\/[\w./-]+\.tsx?)`/g)].map((one) => [`packages/${one[1]}`, one.index]),
  )
  const uses = files.filter((file) => !isTest(file.path)).flatMap(usesIn)
  return [
    ...uses
      .filter((use) => !named.has(use.path))
      .map((use) => ({ ...use, message: `Differs by system: give it a branch for each, and name it in ${guide}` })),
    ...[...named]
      .filter(([source]) => !uses.some((use) => use.path === source))
      .map(([source, at]) => ({ path, line: lineAt(text, at), message: `"${source}" does not differ by system` })),
  ]
}

/** The first line of a source that is not the same everywhere; comments may name what they like. */
function usesIn({ path, text }: File): { readonly path: string; readonly line: number }[] {
  const code = text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, (comment) => comment.replaceAll(/[^\n]/g, ' '))
  const at = code.search(ofOneSystem)
  return at < 0 ? [] : [{ path, line: lineAt(code, at) }]
}

if (import.meta.main) {
  const [page] = readFiles(guide)
  const files = readFiles(packageSources)
  const problems = page ? checkSystems(files, page) : []
  report(problems, 'every source that differs by system stands in the table of systems')
}
