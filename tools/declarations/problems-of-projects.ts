/**
 * Checks projects one after the other with one TypeScript that has an API in JavaScript, and prints the problems of each:
 * declarations that several of them use are read once. The declarations of other packages are not ours to check.
 */
import { createRequire } from 'node:module'
import type ts from 'typescript'

/** A compiler's folder, the path of a `tsconfig.json` per project. */
const [, , compiler = '', ...projects] = process.argv

const typescript = createRequire(import.meta.url)(compiler) as typeof ts
const declarations = new Map<string, ts.SourceFile | undefined>()

for (const project of projects) console.log(JSON.stringify(problemsOf(project)))

function problemsOf(project: string): string[] {
  const configuration = typescript.getParsedCommandLineOfConfigFile(
    project,
    {},
    {
      ...typescript.sys,
      onUnRecoverableConfigFileDiagnostic: (problem) => {
        throw new Error(told(problem))
      },
    },
  )
  if (!configuration) throw new Error(`Cannot read "${project}"`)
  const { fileNames: rootNames, options, errors: configFileParsingDiagnostics } = configuration
  const host = hostThatShares(options)
  const program = typescript.createProgram({ rootNames, options, host, configFileParsingDiagnostics })
  const problems = [
    ...program.getConfigFileParsingDiagnostics(),
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...program.getSourceFiles().flatMap((file) => (isOfOthers(file.fileName) ? [] : problemsIn(program, file))),
  ]
  return typescript.sortAndDeduplicateDiagnostics(problems).map(told)
}

/** All that `tsc` says of a file, the declarations that it would emit included. */
function problemsIn(program: ts.Program, file: ts.SourceFile): ts.Diagnostic[] {
  const read = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]
  return file.isDeclarationFile ? read : [...read, ...program.getDeclarationDiagnostics(file)]
}

/** A file of a package that is not ours, or of the compiler. */
function isOfOthers(path: string): boolean {
  return path.includes('/node_modules/') && !path.includes('/node_modules/@trunkline/')
}

/** Declarations read the same in every project, except that some are modules of Node in one and not in another. */
function hostThatShares(options: ts.CompilerOptions): ts.CompilerHost {
  const host = typescript.createCompilerHost(options)
  host.jsDocParsingMode = typescript.JSDocParsingMode.ParseForTypeErrors
  const { getSourceFile } = host
  host.getSourceFile = (path, reading, ...more) => {
    if (!/\.d\.[cm]?ts$/.test(path) || typeof reading !== 'object') return getSourceFile(path, reading, ...more)
    const key = `${path} ${reading.languageVersion} ${reading.impliedNodeFormat}`
    if (!declarations.has(key)) declarations.set(key, getSourceFile(path, reading, ...more))
    return declarations.get(key)
  }
  return host
}

/** A problem as `tsc --pretty false` prints it. */
function told(problem: ts.Diagnostic): string {
  const directory = typescript.sys.getCurrentDirectory()
  const format = {
    getCanonicalFileName: (path: string) => path,
    getCurrentDirectory: () => directory,
    getNewLine: () => '\n',
  }
  return typescript.formatDiagnostic(problem, format).trimEnd()
}
