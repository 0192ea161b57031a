import ts from 'typescript'
import { declarationText } from './declaration-text.ts'
import type { Entry } from './emit.ts'

/** Kind of a name for users: to call, to make instances of, to read, or only to write in types. */
export type Kind = 'function' | 'class' | 'constant' | 'type'

/** A name that users import, as its declaration has it. */
export interface ExportedName {
  readonly name: string
  readonly kind: Kind
  /** Its doc comment, as Markdown. */
  readonly doc: string
  /** Its declaration without that comment; the comments of its members are left in. */
  readonly declaration: string
  /** Place of the declaration: the same for every entry that exports it. */
  readonly origin: string
}

/** Names that users can import from one entry of a package. */
export interface EntryExports {
  /** Name that users import. */
  readonly entry: string
  /** The comment at the top of its file. */
  readonly doc: string
  /** In the order of the alphabet. */
  readonly names: readonly ExportedName[]
}

/** Exports of each entry. */
export function exportedNames(entries: readonly Entry[]): EntryExports[] {
  const program = ts.createProgram({
    rootNames: entries.map(({ path }) => path),
    // declarations are copied, not understood, so what the platform declares is not needed
    options: { module: ts.ModuleKind.NodeNext, noLib: true, types: [] },
  })
  const checker = program.getTypeChecker()
  const files = entries.map(({ name, path }) => ({ entry: name, ...exportsOf(checker, program, path) }))
  const publicNames = new Map(files.flatMap(({ exports }) => exports.map(({ target, name }) => [target, name])))
  return files.map(({ entry, text, exports }) => ({
    entry,
    doc: plainDoc(/^\/\*\*[\s\S]*?\*\//.exec(text)?.[0] ?? ''),
    names: exports.map((one) => describeExport(one, { checker, publicNames })),
  }))
}

interface Export {
  readonly name: string
  /** The symbol it stands for. */
  readonly target: ts.Symbol
  /** True if `export type` made it a type on the way. */
  readonly typeOnly: boolean
}

function exportsOf(checker: ts.TypeChecker, program: ts.Program, path: string): { text: string; exports: Export[] } {
  const file = program.getSourceFile(path)
  const module = file && checker.getSymbolAtLocation(file)
  if (!module) throw new Error(`Cannot read "${path}": it is no module`)
  const exports = checker
    .getExportsOfModule(module)
    .map((symbol) => ({ name: symbol.name, ...follow(checker, symbol) }))
    .sort((a, b) => compare(a.name.toLowerCase(), b.name.toLowerCase()) || compare(a.name, b.name))
  return { text: file.text, exports }
}

function follow(checker: ts.TypeChecker, symbol: ts.Symbol): { target: ts.Symbol; typeOnly: boolean } {
  let target = symbol
  let typeOnly = false
  while (target.flags & ts.SymbolFlags.Alias) {
    typeOnly ||= (target.declarations ?? []).some(ts.isTypeOnlyExportDeclaration)
    const next = checker.getImmediateAliasedSymbol(target)
    if (!next) break
    target = next
  }
  return { target, typeOnly }
}

function describeExport(
  { name, target, typeOnly }: Export,
  known: Parameters<typeof declarationText>[1],
): ExportedName {
  const declarations = (target.declarations ?? []).map(statementOf)
  const [first] = declarations
  if (!first) throw new Error(`Cannot describe "${name}": it has no declaration`)
  return {
    name,
    kind: typeOnly ? 'type' : kindOf(target),
    doc: docOf(first),
    declaration: declarations.map((node) => declarationText(node, known)).join('\n'),
    origin: `${first.getSourceFile().fileName}:${first.pos}`,
  }
}

function kindOf({ flags }: ts.Symbol): Kind {
  if (flags & ts.SymbolFlags.Function) return 'function'
  if (flags & ts.SymbolFlags.Class) return 'class'
  return flags & ts.SymbolFlags.Variable ? 'constant' : 'type'
}

/** A variable is declared inside of its statement, which has the words before it and the comment. */
function statementOf(declaration: ts.Declaration): ts.Node {
  return ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration
}

function docOf(node: ts.Node): string {
  const { text } = node.getSourceFile()
  const comment = ts.getJSDocCommentsAndTags(node).findLast(ts.isJSDoc)
  return comment === undefined ? '' : plainDoc(text.slice(comment.pos, comment.end))
}

/** A doc comment as a paragraph of Markdown. */
function plainDoc(comment: string): string {
  return comment
    .replace(/^\/\*\*|\*\/$/g, '')
    .replace(/\s*\n\s*\* ?/g, '\n')
    .replace(/\{@link (\S+?)\}/g, '`$1`')
    .replace(/\s*@see (\S+)/g, '\n\nSee <$1>.')
    .replace(/\s*@default (.+)/g, '\n\nDefault: $1.')
    .trim()
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}
