/** Fails when a source of the host or of the command has SQL outside `packages/host/src/store`, or numbers its parameters. */
import { type File, isTest, readFiles } from './lib/files.ts'
import { type Problem, report } from './lib/problem.ts'

const store = 'packages/host/src/store/'

/** Marks of SQL, and of code that could run it. */
const signs = [
  /\b(?:SELECT\b.*\bFROM|INSERT(?: OR [A-Z]+)? INTO|DELETE FROM|UPDATE \w+ SET|PRAGMA)\s/,
  /\b(?:CREATE|ALTER|DROP) (?:TEMP )?(?:TABLE|INDEX|TRIGGER|VIEW)\s/,
  /['"]node:sqlite['"]/,
  /\.prepare\(/,
  /\.database\b|\{[^{}]*\bdatabase\b[^{}]*\}: Store\b/,
]

/** Finds SQL outside of the store; tests may damage a database to see that it is noticed. */
export function checkSql(files: readonly File[]): Problem[] {
  return files
    .filter(({ path }) => !path.startsWith(store) && !isTest(path))
    .flatMap(({ path, text }) =>
      text
        .split('\n')
        .flatMap((line, at) => (signs.some((sign) => sign.test(line)) ? [{ path, line: at + 1, message }] : [])),
    )
}

/** Finds statements that number their parameters: Node 22.13 gives those no value, and the statement fails when it runs. */
export function checkParameters(files: readonly File[]): Problem[] {
  return files
    .filter(({ path }) => /\/(?:store|sqlite|stores)\//.test(path) && !isTest(path))
    .flatMap(({ path, text }) =>
      text
        .split('\n')
        .flatMap((line, at) => (/[\s(=]\?\d/.test(line) ? [{ path, line: at + 1, message: numbered }] : [])),
    )
}

const numbered = 'Numbered parameter: Node 22.13 cannot give it a value; name it, as "$principal"'
const message = `SQL outside of the store: put the statement into a module of ${store}tables and call that`

if (import.meta.main) {
  const files = readFiles('packages/{host,cli,console}/src/**/*.{ts,tsx}')
  const ofLibrary = readFiles('packages/mcp/src/stores/sqlite/*.ts')
  report(
    [...checkSql(files), ...checkParameters([...files, ...ofLibrary])],
    `${files.length} files read, all SQL is in ${store}`,
  )
}
