import { showWords } from '@trunkline/base/show-words'
import type { Context } from '@trunkline/mcp'
import { listArguments, listReply } from '@trunkline/server-kit/list'
import { explained, ToolProblem } from '@trunkline/server-kit/tool-problem'
import { type CodeOffers, onlyReads } from './code-offers.ts'
import { atLeast, diagnosticLine, fileDiagnostics, projectDiagnostics, severities } from './diagnostics.ts'
import { pageOf } from './page.ts'
import { openAny } from './project.ts'
import { allowedOf, type CodeSetup, lacks, openFile, projectAt } from './setup.ts'
import { documentSymbols, searchSymbols, symbolKinds } from './symbols.ts'

/** Offers the tools about a file or a project as a whole: symbols, diagnostics and language servers. */
export function offerProjectTools(code: CodeOffers, setup: CodeSetup): void {
  offerListSymbols(code, setup)
  offerDiagnostics(code, setup)
  code.tool(
    'list_servers',
    {
      description: 'Languages of the project and the state of their language servers.',
      annotations: onlyReads,
      input: { type: 'object', properties: {}, additionalProperties: false },
    },
    explained(async (_, ctx) => listReply({ items: await serversOf(setup, ctx) }, shownServer)),
  )
}

/** A symbol in a list. */
export interface ListedSymbol {
  readonly symbol: string
  readonly kind: string
  readonly path: string
  readonly line?: number
  readonly lines?: number
}

function offerListSymbols(code: CodeOffers, setup: CodeSetup): void {
  code.tool(
    'list_symbols',
    {
      description: 'Outline of a file ("path"), or symbols of the project whose names contain a text ("query").',
      annotations: onlyReads,
      input: {
        type: 'object',
        properties: {
          path: { type: 'string' },
          query: { type: 'string', minLength: 1 },
          kind: { enum: symbolKinds },
          ...listArguments({ limit: 30 }),
        },
        additionalProperties: false,
      },
    },
    explained(async ({ limit = 30, cursor, ...given }, ctx) => {
      const { path, query, kind } = given
      const { symbols, failures: notes } =
        path === undefined
          ? await foundSymbols(setup, ctx, query)
          : { symbols: await outlineOf(setup, ctx, path), failures: [] }
      const named = symbols.filter(
        (one) =>
          (kind === undefined || one.kind === kind) &&
          (query === undefined || one.symbol.toLowerCase().includes(query.toLowerCase())),
      )
      const page = await pageOf(named, { limit, cursor, query: given }, (one) => one)
      return listReply({ ...page, notes }, symbolLine)
    }),
  )
}

/** The symbols of a file. */
export async function outlineOf(setup: CodeSetup, ctx: Context, path: string): Promise<readonly ListedSymbol[]> {
  const { project, language, server, file } = await openFile(setup, ctx, path)
  if (!server.capabilities.documentSymbolProvider) throw lacks(language, 'symbols')
  const symbols = await documentSymbols(server, file.path, ctx.signal)
  return symbols.map(({ symbol, kind, range, selection }) => ({
    symbol,
    kind,
    path: project.shown(file.path),
    line: selection.start.line + 1,
    lines: range.end.line - range.start.line + 1,
  }))
}

async function foundSymbols(setup: CodeSetup, ctx: Context, query: string | undefined) {
  if (query === undefined) {
    throw new ToolProblem('refused', 'Cannot list symbols: neither a file nor a text is named', {
      next: 'Pass "path" or "query"',
    })
  }
  const project = await projectAt(setup, ctx)
  const allowed = await allowedOf(setup, ctx)
  const { answers, failures } = await project.askEach(ctx, async ({ language, server }) => {
    await openAny(project, language, server)
    return searchSymbols(server, { query, allowed, signal: ctx.signal })
  })
  const symbols = answers.flat().map(({ symbol, kind, path, range }): ListedSymbol => {
    const lines = range && range.end.line > range.start.line ? range.end.line - range.start.line + 1 : undefined
    return {
      ...{ symbol, kind, path: project.shown(path) },
      ...(range && { line: range.start.line + 1 }),
      ...(lines !== undefined && { lines }),
    }
  })
  return { symbols, failures }
}

/** A symbol in one line. */
export function symbolLine({ symbol, kind, path, line, lines }: ListedSymbol): string {
  return `${path}:${line ?? ''} ${kind} ${symbol}${lines === undefined || lines === 1 ? '' : ` (${lines} lines)`}`
}

function offerDiagnostics(code: CodeOffers, setup: CodeSetup): void {
  code.tool(
    'list_diagnostics',
    {
      description: 'Errors and warnings of the language servers, of a file or of the project.',
      annotations: onlyReads,
      input: {
        type: 'object',
        properties: {
          path: { type: 'string' },
          severity: { enum: severities, default: 'error', description: 'And all that is worse' },
          ...listArguments({ limit: 30 }),
        },
        additionalProperties: false,
      },
    },
    explained(async ({ limit = 30, cursor, ...given }, ctx) => {
      const { path, severity = 'error' } = given
      const found = await diagnosticsFor(setup, ctx, path)
      const items = atLeast(found.items, severity)
      const notes = [
        ...found.failures,
        ...(found.isBusy ? ['a language server is still busy: ask again'] : []),
        ...(found.looked < found.files ? [`${found.looked} of ${found.files} files were looked at: name a path`] : []),
      ]
      const page = await pageOf(items, { limit, cursor, query: given }, (one) => one)
      return listReply({ ...page, notes }, diagnosticLine)
    }),
  )
}

async function diagnosticsFor(setup: CodeSetup, ctx: Context, path: string | undefined) {
  if (path === undefined) return projectDiagnostics(await projectAt(setup, ctx), ctx, await allowedOf(setup, ctx))
  const { project, server, file } = await openFile(setup, ctx, path)
  return fileDiagnostics(project, server, { path: file.path, signal: ctx.signal })
}

interface ListedServer {
  readonly language: string
  readonly program: string
  readonly state: string
  readonly files: number
  readonly why?: string
}

async function serversOf(setup: CodeSetup, ctx: Context): Promise<ListedServer[]> {
  const project = await projectAt(setup, ctx)
  const items: ListedServer[] = []
  for (const { language, files } of await project.languages()) {
    const program = await project.programOf(language)
    const slot = project.slot(language)
    const state = (await project.accepted.has(program)) ? (slot?.state ?? 'notStarted') : 'notAccepted'
    const why = state === 'notAccepted' ? 'the person has not accepted its command' : slot?.why
    items.push({ language: language.name, program: showWords(program.words), state, files, ...(why && { why }) })
  }
  return items
}

function shownServer({ language, program, state, files, why }: ListedServer): string {
  return `${language}: ${state}, ${files} files, ${program}${why === undefined ? '' : ` (${why})`}`
}
