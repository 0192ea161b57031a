import { type AllowedFolders, pathOfUri } from '@trunkline/server-kit/folders'
import type { DocumentSymbol, Range, SymbolInformation, WorkspaceSymbol } from 'vscode-languageserver-types'
import { splitLines } from './locations.ts'
import type { LanguageServer } from './lsp/language-server.ts'
import { isVisibleTo } from './setup.ts'

/** Kinds of symbols, in the order of their numbers in the Language Server Protocol. */
export const symbolKinds = [
  ...(['file', 'module', 'namespace', 'package', 'class', 'method', 'property', 'field', 'constructor'] as const),
  ...(['enum', 'interface', 'function', 'variable', 'constant', 'string', 'number', 'boolean', 'array'] as const),
  ...(['object', 'key', 'null', 'enumMember', 'struct', 'event', 'operator', 'typeParameter'] as const),
] as const

/** One of {@link symbolKinds}. */
export type SymbolKindName = (typeof symbolKinds)[number]

/** A symbol of a file. */
export interface CodeSymbol {
  /** Its name behind those of what it stands in: `Class.method`. */
  readonly symbol: string
  readonly kind: SymbolKindName
  readonly path: string
  readonly range: Range
  readonly selection: Range
}

/** Insides of these are local, and in no outline. */
const closed: ReadonlySet<SymbolKindName> = new Set(['method', 'constructor', 'function', 'property', 'field'])

/** The symbols of an open file, in order; what is local to a function or imported is left out. */
export async function documentSymbols(
  server: LanguageServer,
  path: string,
  signal: AbortSignal,
): Promise<readonly CodeSymbol[]> {
  const found = (await server.askAbout(path, 'textDocument/documentSymbol', { signal })) as Found[] | null
  const lines = splitLines(server.documents.textOf(path))
  const symbols = (found ?? []).flatMap((one) => flattened(one, path, ''))
  // some servers list imported names, which are defined elsewhere
  const own = symbols.filter(({ selection }) => !/^\s*(?:import|from)\b/.test(lines[selection.start.line] ?? ''))
  return own.sort((one, other) => one.range.start.line - other.range.start.line)
}

type Found = DocumentSymbol | SymbolInformation

function flattened(found: Found, path: string, above: string): CodeSymbol[] {
  const kind = symbolKinds[found.kind - 1] ?? 'variable'
  if ('location' in found) {
    const container = found.containerName ? `${found.containerName}.` : ''
    const { range } = found.location
    return [{ symbol: container + found.name, kind, path, range, selection: range }]
  }
  const symbol = above + found.name
  const children = closed.has(kind) ? [] : (found.children ?? [])
  return [
    { symbol, kind, path, range: found.range, selection: found.selectionRange },
    ...children.flatMap((child) => flattened(child, path, `${symbol}.`)),
  ]
}

/** A symbol that a search of a project found. */
export interface FoundSymbol {
  readonly symbol: string
  readonly kind: SymbolKindName
  readonly path: string
  readonly range: Range | undefined
}

/** The symbols of a project whose names resemble a text; only of files that the caller may see. */
export async function searchSymbols(
  server: LanguageServer,
  search: { readonly query: string; readonly allowed: AllowedFolders; readonly signal: AbortSignal },
): Promise<readonly FoundSymbol[]> {
  if (!server.capabilities.workspaceSymbolProvider) return []
  const { query, allowed, signal } = search
  const found = (await server.request('workspace/symbol', { query }, { signal })) as
    | (SymbolInformation | WorkspaceSymbol)[]
    | null
  return (found ?? []).flatMap((one): FoundSymbol[] => {
    const path = pathOfUri(one.location.uri)
    if (path === undefined || !isVisibleTo(allowed, path)) return []
    const container = one.containerName ? `${one.containerName}.` : ''
    const range = 'range' in one.location ? one.location.range : undefined
    return [{ symbol: container + one.name, kind: symbolKinds[one.kind - 1] ?? 'variable', path, range }]
  })
}
