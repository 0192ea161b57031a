/** Fails on an `import(…)` of a path: Windows takes `C:\x` for an address with the scheme `c:`, so it needs a file URL. */
import { type File, readFiles } from './lib/files.ts'
import { lineAt, type Problem, report } from './lib/problem.ts'
import { tokenize } from './lib/tokens.ts'

/** Variables that are imported, by file, and what each holds. */
const variables: { readonly [path: string]: { readonly [argument: string]: string } } = {
  'bench/probe/modules.ts': { "process.env.ENTRY ?? ''": 'a URL or the name of a package' },
  'bench/trunkline/events.ts': { "process.env.EVENT_PARSER ?? ''": 'a URL' },
  'packages/cli/test/fixtures/command-session.ts': { 'String(main)': 'a URL' },
  'packages/host/test/loading.test.ts': { entry: 'the name of a package' },
  'packages/mcp/src/network/node-http.test.ts': { entry: 'a URL' },
  'packages/mcp/src/schema/derive.ts': { 'converter.package': 'the name of a package' },
  'packages/mcp/src/transports/stdio/marked-processes.test.ts': { module: 'a URL' },
  'packages/mcp/src/transports/stdio/server.test.ts': { module: 'a URL' },
  'packages/mcp/src/transports/stdio/supervisor.test.ts': { module: 'a URL' },
  'packages/mcp/test/browser/client.test.ts': { "'/client.js' as string": 'an address of a page' },
  'packages/mcp/test/extensions/apps/browser.test.ts': { "'/host.js' as string": 'an address of a page' },
  'packages/mcp/test/extensions/apps/guide.test.ts': { "'/page.js' as string": 'an address of a page' },
  'packages/stores/postgres/src/driver.ts': { name: 'the name of a package' },
  'packages/stores/redis/src/driver.ts': { name: 'the name of a package' },
  'tools/smoke-command.ts': { 'JSON.stringify(entry)': 'the name of a package' },
  'tools/smoke/run/client.js': { entry: 'the name of a package' },
}

/** Shapes that are never a path of the system: a name or relative path, a template of one, and what is made a URL. */
const portable = [
  /^(['"])(?!\/|[a-z]:[\\/])/i,
  /^`(?:\.\.?\/|\$\{\w+\.origin\})/,
  /\bnew URL\(|\bpathToFileURL\(|\.href\b/,
]

/** Finds imports whose argument may be a path, also in programs that a text holds. */
export function checkImports(files: readonly File[]): Problem[] {
  return files.flatMap(({ path, text }) => {
    const code = withoutComments(text)
    return [...code.matchAll(/(?<![\w.])import\(/g)].flatMap(({ index }) => {
      const argument = argumentAt(code, index + 'import('.length)
      if (portable.some((shape) => shape.test(argument)) || variables[path]?.[argument] !== undefined) return []
      return [{ path, line: lineAt(text, index), message: message(argument) }]
    })
  })
}

function message(argument: string): string {
  return `Cannot tell that ${argument} is no path, which Windows refuses to import: give it pathToFileURL(…).href, or name it in tools/check-imports.ts`
}

function withoutComments(text: string): string {
  let code = text
  for (const { kind, text: piece, start } of tokenize(text))
    if (kind === 'comment') code = code.slice(0, start) + ' '.repeat(piece.length) + code.slice(start + piece.length)
  return code
}

/** The text up to the parenthesis that closes the call. */
function argumentAt(code: string, start: number): string {
  let open = 1
  let end = start
  while (open > 0 && end < code.length) {
    if (code[end] === '(') open += 1
    if (code[end] === ')') open -= 1
    end += 1
  }
  const argument = code.slice(start, end - 1).trim()
  // of a program within a template, what is put in
  return argument.replace(/,$/, '').replace(/^\$\{(.*)\}$/, '$1')
}

if (import.meta.main) {
  const files = readFiles('{packages,examples,tools,bench,runtimes}/**/*.{ts,tsx,js,mjs}')
  // tests of tools quote sources
  const checked = files.filter(({ path }) => !/^tools\/.*\.test\.ts$/.test(path))
  report(checkImports(checked), `${checked.length} files import by name or URL, never by a path`)
}
