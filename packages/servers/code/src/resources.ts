import type { Context } from '@trunkline/mcp'
import { cutText, maxThingTokens } from '@trunkline/server-kit/cut-text'
import { ToolProblem } from '@trunkline/server-kit/tool-problem'
import type { CodeOffers } from './code-offers.ts'
import { atLeast, diagnosticLine, projectDiagnostics } from './diagnostics.ts'
import { splitLines } from './locations.ts'
import { placesOf, shownSymbol } from './place.ts'
import type { Project } from './project.ts'
import { outlineOf, symbolLine } from './project-tools.ts'
import { allowedOf, type CodeSetup, projectAt } from './setup.ts'
import { documentSymbols } from './symbols.ts'
import { resultsText } from './tests/test-tools.ts'

/** Diagnostics in the resource. */
const maxShown = 200

/** The address of a resource of a project. */
export function resourceUri({ name }: Project, what: 'diagnostics' | 'tests'): string {
  return `code://${encodeURIComponent(name)}/${what}`
}

/** Offers diagnostics, test results, symbols and outlines as resources. */
export function offerResources(code: CodeOffers, setup: CodeSetup): void {
  for (const project of setup.projects) offerWatched(code, setup, project)
  const named = (project: string): Project => projectNamed(setup, decodeURIComponent(project))
  const complete = { project: () => setup.projects.map(({ name }) => encodeURIComponent(name)) }
  code.template(
    'code://{project}/symbol/{+name}',
    {
      name: 'symbol',
      description: 'The code of a symbol, such as Class.method',
      mimeType: 'text/plain',
      complete: { ...complete, name: (start, { project }) => completeSymbol(setup, project, start) },
    },
    async ({ project, name }, ctx) => symbolText(setup, ctx, { project: named(project), name }),
  )
  code.template(
    'code://{project}/outline/{+path}',
    {
      name: 'outline',
      description: 'The symbols of a file',
      mimeType: 'text/plain',
      complete: { ...complete, path: (start, { project }) => completePath(setup, project, start) },
    },
    async ({ project, path }, ctx) => {
      const { root } = named(project)
      const symbols = await outlineOf(setup, ctx, `${root}/${path}`)
      return symbols.map(symbolLine).join('\n') || 'It has no symbols'
    },
  )
}

function offerWatched(code: CodeOffers, setup: CodeSetup, project: Project): void {
  code.resource(
    resourceUri(project, 'diagnostics'),
    { name: `${project.name}: diagnostics`, mimeType: 'text/plain', description: 'Errors and warnings of the project' },
    async (_, ctx) => {
      // the roots of the client may leave this project out
      await projectAt(setup, ctx, project.root)
      const found = await projectDiagnostics(project, ctx, await allowedOf(setup, ctx))
      const items = atLeast(found.items, 'warning')
      const left = items.length > maxShown ? [`[${items.length - maxShown} more: list_diagnostics]`] : []
      const busy = found.isBusy ? ['[a language server is still busy]'] : []
      return [...items.slice(0, maxShown).map(diagnosticLine), ...left, ...busy].join('\n') || 'No errors, no warnings'
    },
  )
  code.resource(
    resourceUri(project, 'tests'),
    { name: `${project.name}: tests`, mimeType: 'text/plain', description: 'Results of the last run of tests' },
    async (_, ctx) => {
      await projectAt(setup, ctx, project.root)
      const run = setup.tests.last(project)
      if (run === undefined) return 'No tests have run yet'
      const failed = run.results.filter(({ state }) => state === 'failed')
      return cutText(resultsText(run, failed), maxThingTokens).text
    },
  )
}

async function symbolText(setup: CodeSetup, ctx: Context, { project, name }: { project: Project; name: string }) {
  await projectAt(setup, ctx, project.root)
  const places = await placesOf(setup, ctx, { symbol: name })
  const texts = places.map(({ file, symbol }) => {
    const { start, end } = symbol?.range ?? { start: { line: 0 }, end: { line: 0 } }
    const lines = splitLines(file.text).slice(start.line, end.line + 1)
    return `${shownSymbol(project, file.path, symbol)}\n${lines.join('\n')}`
  })
  return texts.join('\n\n')
}

function projectNamed({ projects }: CodeSetup, name: string): Project {
  const found = projects.find((project) => project.name === name)
  if (found) return found
  throw new ToolProblem('not_found', `There is no project ${JSON.stringify(name)}`, {
    nearest: projects.map((project) => project.name),
  })
}

async function completePath(setup: CodeSetup, project: string | undefined, start: string): Promise<readonly string[]> {
  const all = setup.projects.filter(({ name }) => project === undefined || encodeURIComponent(name) === project)
  const paths = await Promise.all(all.map(async (one) => (await one.files.paths()).map((path) => one.shown(path))))
  return paths.flat().filter((path) => path.startsWith(start))
}

/** Names of symbols of the files that are open; nothing is started for it. */
async function completeSymbol(setup: CodeSetup, project: string | undefined, start: string) {
  const all = setup.projects.filter(({ name }) => project === undefined || encodeURIComponent(name) === project)
  const names = new Set<string>()
  for (const { server } of all.flatMap((one) => one.running())) {
    for (const path of server.documents.paths.slice(-20)) {
      const symbols = await documentSymbols(server, path, AbortSignal.timeout(2_000)).catch(() => [])
      for (const { symbol } of symbols) if (symbol.startsWith(start)) names.add(symbol)
    }
  }
  return [...names].sort()
}
