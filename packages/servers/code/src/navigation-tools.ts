import { type Reply, reply } from '@trunkline/mcp'
import { cutText, maxThingTokens } from '@trunkline/server-kit/cut-text'
import { listArguments, listReply } from '@trunkline/server-kit/list'
import { explained } from '@trunkline/server-kit/tool-problem'
import type { Hover, Range } from 'vscode-languageserver-types'
import { type CodeOffers, onlyReads } from './code-offers.ts'
import { hoverParts } from './hover-parts.ts'
import { type CodeLocation, LineReader, placesIn, signatureAt } from './locations.ts'
import { pageOf } from './page.ts'
import { type GivenPlace, onePlace, type Place, placeArguments, placesOf } from './place.ts'
import type { Project } from './project.ts'
import { allowedOf, type CodeSetup, lacks } from './setup.ts'
import { documentSymbols } from './symbols.ts'

/** Lines of a body that are shown. */
const maxBodyLines = 200
/** Characters of a line of text that are shown. */
const maxLineChars = 160

/** Offers the tools that follow a name: to its definition, its uses and its documentation. */
export function offerNavigation(code: CodeOffers, setup: CodeSetup): void {
  offerDefinition(code, setup)
  offerReferences(code, setup)
  code.tool(
    'get_hover',
    {
      description: 'Signature and documentation of a name.',
      annotations: onlyReads,
      input: { type: 'object', properties: placeArguments, additionalProperties: false },
    },
    explained(async (given, ctx) => {
      const place = await onePlace(setup, ctx, given)
      if (!place.server.capabilities.hoverProvider) throw lacks(place.language, 'documentation')
      const answer = (await askAt(place, 'textDocument/hover', ctx)) as Hover | null
      const parts = hoverParts(answer)
      const text = [parts.signature, parts.documentation].filter((part) => part !== '').join('\n\n')
      return reply(text || 'Nothing is known about it', { structured: parts })
    }),
  )
}

interface Definition {
  readonly path: string
  readonly line: number
  readonly signature: string
  readonly body?: string
}

function offerDefinition(code: CodeOffers, setup: CodeSetup): void {
  const properties = { ...placeArguments, body: { type: 'boolean', default: false, description: 'All of it' } } as const
  code.tool(
    'get_definition',
    {
      description: 'Where a name is defined. "body" shows the code, which is shorter than reading the file.',
      annotations: onlyReads,
      input: { type: 'object', properties, additionalProperties: false },
    },
    explained(async ({ body = false, ...given }, ctx) => {
      const allowed = await allowedOf(setup, ctx)
      const { found, places, outside } = await definitions(setup, ctx, given)
      const lines = new LineReader(allowed, setup.limits.maxFileBytes)
      const [{ project } = {}] = places
      const items: Definition[] = []
      for (const one of found.slice(0, 20)) {
        const text = await lines.of(one.path)
        const { start, end } = one.whole ?? one.range
        const all = text.slice(start.line, Math.min(end.line + 1, start.line + maxBodyLines)).join('\n')
        const { text: shown, linesLeft } = cutText(all, Math.floor(maxThingTokens / Math.min(found.length, 4)) - 200)
        const left = linesLeft + Math.max(0, end.line + 1 - start.line - maxBodyLines)
        items.push({
          path: project?.shown(one.path) ?? one.path,
          line: one.range.start.line + 1,
          signature: signatureAt(text, start.line),
          ...(body && { body: left === 0 ? shown : `${shown}\n[${left} more lines]` }),
        })
      }
      const notes = outside === 0 ? [] : [`${outside} outside of the project, in a library`]
      return body ? bodies(items, notes) : listReply({ items, notes }, shownDefinition)
    }),
  )
}

/** Definitions of what a caller names: of a symbol those symbols themselves, else what the language server answers. */
async function definitions(setup: CodeSetup, ctx: Ctx, given: GivenPlace) {
  const places = await placesOf(setup, ctx, given)
  const own = places.flatMap(({ symbol }): CodeLocation[] =>
    symbol ? [{ path: symbol.path, range: symbol.selection, whole: symbol.range }] : [],
  )
  const [place] = places
  if (own.length > 0 || place === undefined) return { places, found: own, outside: 0 }
  if (!place.server.capabilities.definitionProvider) throw lacks(place.language, 'definitions')
  const answer = await askAt(place, 'textDocument/definition', ctx)
  const { inside, outside } = placesIn(answer, await allowedOf(setup, ctx))
  const found = await Promise.all(inside.map(async (one) => ({ ...one, whole: await wholeOf(place, one, ctx) })))
  return { places, found, outside }
}

type Ctx = Parameters<typeof onePlace>[1]

/** All of a declaration whose name stands at a place. */
async function wholeOf({ server, project }: Place, found: CodeLocation, ctx: Ctx): Promise<Range> {
  if (found.whole && found.whole.end.line > found.range.end.line) return found.whole
  if (!server.capabilities.documentSymbolProvider) return found.range
  const lines = new LineReader(project.allowed, project.limits.maxFileBytes)
  if (!server.documents.has(found.path)) server.sync(found.path, (await lines.of(found.path)).join('\n'))
  const symbols = await documentSymbols(server, found.path, ctx.signal)
  const { line } = found.range.start
  return symbols.find(({ selection }) => selection.start.line === line)?.range ?? found.range
}

function bodies(items: readonly Definition[], notes: readonly string[]): Reply {
  const shown = items.map((item) => `${item.path}:${item.line}\n${item.body}`)
  const text = [...shown, ...notes.map((note) => `[${note}]`)].join('\n\n')
  const structured = { items, ...(notes.length > 0 && { notes }) }
  return reply(text || 'Nothing found', { structured })
}

function shownDefinition({ path, line, signature }: Definition): string {
  return `${path}:${line}: ${signature}`
}

function offerReferences(code: CodeOffers, setup: CodeSetup): void {
  code.tool(
    'find_references',
    {
      description: 'Every use of a name, by file; the totals come first.',
      annotations: onlyReads,
      input: {
        type: 'object',
        properties: { ...placeArguments, ...listArguments({ limit: 30 }) },
        additionalProperties: false,
      },
    },
    explained(async ({ limit = 30, cursor, ...given }, ctx) => {
      const place = await onePlace(setup, ctx, given)
      if (!place.server.capabilities.referencesProvider) throw lacks(place.language, 'references')
      const answer = await askAt(place, 'textDocument/references', ctx)
      const allowed = await allowedOf(setup, ctx)
      const { inside, outside } = placesIn(answer, allowed)
      const lines = new LineReader(allowed, setup.limits.maxFileBytes)
      const show = ({ path, range: { start } }: CodeLocation) => useAt(place.project, { path, line: start.line, lines })
      const { items, next, total } = await pageOf(inside, { limit, cursor, query: given }, show)
      return referencesReply(items, { total, files: filesOf(inside), outside, next })
    }),
  )
}

interface Use {
  readonly path: string
  readonly line: number
  readonly text: string
}

async function useAt(project: Project, at: { path: string; line: number; lines: LineReader }): Promise<Use> {
  const text = (await at.lines.of(at.path))[at.line] ?? ''
  return { path: project.shown(at.path), line: at.line + 1, text: text.trim().slice(0, maxLineChars) }
}

interface Totals {
  readonly total: number
  readonly files: number
  readonly outside: number
  readonly next: string | undefined
}

function referencesReply(uses: readonly Use[], totals: Totals): Reply {
  const { total, files, outside, next } = totals
  const paths = [...new Set(uses.map(({ path }) => path))]
  const items = paths.map((path) => ({
    path,
    items: uses.filter((use) => use.path === path).map(({ line, text }) => ({ line, text })),
  }))
  const text = [
    `${total} uses in ${files} files${outside === 0 ? '' : `, and ${outside} outside of the project`}`,
    ...items.flatMap(({ path, items: all }) => [path, ...all.map((one) => `  ${one.line}: ${one.text}`)]),
    ...(next === undefined ? [] : [`[more: "cursor": ${JSON.stringify(next)}]`]),
  ]
  const structured = { total, files, items, ...(outside > 0 && { outside }), ...(next !== undefined && { next }) }
  return reply(text.join('\n'), { structured })
}

function filesOf(places: readonly CodeLocation[]): number {
  return new Set(places.map(({ path }) => path)).size
}

function askAt({ server, file, position }: Place, method: string, { signal }: Ctx): Promise<unknown> {
  // only references look at the context
  const params = { position, context: { includeDeclaration: true } }
  return server.askAbout(file.path, method, { params, signal })
}
