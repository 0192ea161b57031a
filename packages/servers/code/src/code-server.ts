import { randomBytes } from 'node:crypto'
import { server } from '@trunkline/mcp'
import { contract } from '@trunkline/mcp/contract'
import { tasks } from '@trunkline/mcp/tasks'
import { realFolders } from '@trunkline/server-kit/folders'
import { ToolProblem } from '@trunkline/server-kit/tool-problem'
import { AcceptedCommands } from './accepted.ts'
import { type CodeLimits, codeLimits } from './code-limits.ts'
import type { CodeOffers } from './code-offers.ts'
import { configuredLanguages, type Language } from './languages.ts'
import { offerNavigation } from './navigation-tools.ts'
import { Project } from './project.ts'
import { offerProjectTools } from './project-tools.ts'
import { offerRename } from './rename-tool.ts'
import { offerResources, resourceUri } from './resources.ts'
import { type Grammars, SyntaxTrees } from './syntax.ts'
import { offerSyntax } from './syntax-tool.ts'
import { TestRuns } from './tests/test-runs.ts'
import { offerTestTools } from './tests/test-tools.ts'
import { DiagnosticsWatch } from './watch-diagnostics.ts'

/** Options of the code server. */
export interface CodeServerOptions {
  /** At least one; each is a project, and nothing outside of them is read or written. */
  readonly directories: readonly string[]
  /** Languages and the commands of their servers, beside or in place of the known ones. @default none */
  readonly languages?: readonly Language[]
  /** ProgramCommand lines that the person accepted for these projects; programs start without a question. @default none */
  readonly accept?: readonly string[]
  /** File that keeps answers to questions about commands. @default answers last until this server ends */
  readonly acceptedFile?: string
  /** Grammars of tree-sitter as `.wasm` files, by the ends of file names. @default the bundled ones */
  readonly grammars?: Grammars
  /** Limits of language servers, files and runs of tests. */
  readonly limits?: Partial<CodeLimits>
}

/** A server for code; disposing it ends all language servers. */
export interface CodeServer extends AsyncDisposable {
  readonly server: CodeOffers
  /** Languages with a running language server, and the number of watched projects. */
  state(): { readonly running: readonly string[]; readonly watched: number }
}

/** A server for code: symbols, definitions, references, diagnostics, syntax trees, tests and renames. */
export async function codeServer(options: CodeServerOptions): Promise<CodeServer> {
  if (options.directories.length === 0) throw new Error('Cannot serve code: name at least one directory')
  const limits = { ...codeLimits, ...options.limits }
  const languages = configuredLanguages(options.languages ?? [])
  const accepted = new AcceptedCommands(options.accept ?? [], options.acceptedFile)
  const roots = await realFolders(options.directories)
  const projects = withNames(roots.map((root) => new Project({ root, languages, accepted, limits })))
  const tests = new TestRuns()
  const updated = (project: Project, what: 'diagnostics' | 'tests'): void =>
    code.resources.updated(resourceUri(project, what))
  const watches = projects.map((project) => ({
    uri: resourceUri(project, 'diagnostics'),
    watch: new DiagnosticsWatch(project, () => updated(project, 'diagnostics')),
  }))
  tests.onFinished = (project) => updated(project, 'tests')
  const code: CodeOffers = server({
    name: 'trunkline-code',
    version: '0.1.0',
    title: 'Code',
    instructions: instructionsFor(projects),
    // questions to a client do not outlive this process
    keys: [randomBytes(32)],
    extensions: [contract(), tasks()],
    onError: (error, what) => {
      if (!(error instanceof ToolProblem)) console.error(what, error)
    },
    onWatch: (uris) => {
      const stops = watches.filter(({ uri }) => uris.includes(uri)).map(({ watch }) => watch.start())
      return () => {
        for (const stop of stops) stop()
      }
    },
  })
  const setup = { projects, limits, tests }
  offerProjectTools(code, setup)
  offerNavigation(code, setup)
  offerSyntax(code, setup, new SyntaxTrees(options.grammars ?? {}, limits.syntaxMs))
  offerTestTools(code, setup)
  offerRename(code, setup)
  offerResources(code, setup)
  return {
    server: code,
    state: () => ({
      running: projects.flatMap((project) => project.running().map(({ language }) => language.name)),
      watched: watches.filter(({ watch }) => watch.watchers > 0).length,
    }),
    [Symbol.asyncDispose]: async () => {
      await Promise.all(projects.map((project) => project.stop()))
    },
  }
}

/** Gives projects whose folders have the same name different names. */
function withNames(projects: readonly Project[]): readonly Project[] {
  const seen = new Map<string, number>()
  for (const project of projects) {
    const count = (seen.get(project.name) ?? 0) + 1
    seen.set(project.name, count)
    if (count > 1) project.name = `${project.name}-${count}`
  }
  return projects
}

function instructionsFor(projects: readonly Project[]): string {
  const names = projects.map(({ name, root }) => `${name} (${root})`).join(', ')
  return `Knows the code of ${names}. Relative paths begin in ${projects[0]?.root}. Ask for a symbol ("Class.method") or a name on a line; get_definition with "body" is shorter than reading a file. Language servers and tests run code of the project: the person is asked before the first start.`
}
