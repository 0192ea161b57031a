import ts from 'typescript'
import type { Entry } from './emit.ts'

/** A type that users meet in a signature and cannot name. */
export interface Unnamed {
  readonly entry: string
  readonly type: string
  /** Path from the entry to it, by the names that users import. */
  readonly by: readonly string[]
}

/** Finds the types that the declarations of an entry name, and that neither it nor the first entry exports. */
export function findUnnamed(entries: readonly Entry[]): Unnamed[] {
  const program = ts.createProgram({
    rootNames: entries.map(({ path }) => path),
    // names are followed, not types, so what the platform declares is not needed
    options: { module: ts.ModuleKind.NodeNext, noLib: true, types: [] },
  })
  const checker = program.getTypeChecker()
  const exported = entries.map(({ path }) => exportsOf(checker, program.getSourceFile(path)))
  return entries.flatMap(({ name }, index) => {
    const known = new Set([...(exported[0] ?? []), ...(exported[index] ?? [])])
    return new Walk(checker, known).from(exported[index] ?? []).map((found) => ({ entry: name, ...found }))
  })
}

function exportsOf(checker: ts.TypeChecker, file: ts.SourceFile | undefined): readonly ts.Symbol[] {
  const module = file && checker.getSymbolAtLocation(file)
  if (!module) throw new Error(`Cannot read "${file?.fileName}": it is no module`)
  return checker.getExportsOfModule(module).map((symbol) => resolved(checker, symbol))
}

/** Follows what declarations name, each symbol once. */
class Walk {
  readonly #checker: ts.TypeChecker
  readonly #known: ReadonlySet<ts.Symbol>
  readonly #seen = new Map<ts.Symbol, ts.Symbol | undefined>()
  readonly #queue: ts.Symbol[] = []
  /** Those that stand somewhere else than behind `extends`. */
  readonly #named = new Set<ts.Symbol>()

  constructor(checker: ts.TypeChecker, known: ReadonlySet<ts.Symbol>) {
    this.#checker = checker
    this.#known = known
  }

  from(symbols: readonly ts.Symbol[]): Omit<Unnamed, 'entry'>[] {
    for (const symbol of symbols) this.#meet(symbol, undefined)
    for (const symbol of this.#queue) {
      for (const declaration of symbol.declarations ?? []) this.#visit(declaration, symbol)
    }
    return this.#queue
      .filter((symbol) => !this.#known.has(symbol) && !this.#isWrittenOut(symbol))
      .map((symbol) => ({ type: symbol.name, by: this.#trail(symbol) }))
  }

  #visit(node: ts.Node, by: ts.Symbol): void {
    const name = nameIn(node)
    const found = name && this.#checker.getSymbolAtLocation(name)
    if (found) {
      const symbol = resolved(this.#checker, found)
      if (!isHeritage(node)) this.#named.add(symbol)
      this.#meet(symbol, by)
    }
    ts.forEachChild(node, (child) => this.#visit(child, by))
  }

  #meet(symbol: ts.Symbol, by: ts.Symbol | undefined): void {
    if (this.#seen.has(symbol) || !isOurs(symbol)) return
    this.#seen.set(symbol, by)
    this.#queue.push(symbol)
  }

  /** True if only its own file can name it: an alias is replaced by its target, and a base shows in its heirs. */
  #isWrittenOut(symbol: ts.Symbol): boolean {
    const { declarations = [], flags } = symbol
    const isLocal = declarations.every((one) => !(ts.getCombinedModifierFlags(one) & ts.ModifierFlags.Export))
    return isLocal && ((flags & ts.SymbolFlags.TypeAlias) !== 0 || !this.#named.has(symbol))
  }

  #trail(symbol: ts.Symbol): string[] {
    const by = this.#seen.get(symbol)
    return by ? [...this.#trail(by), by.name] : []
  }
}

function resolved(checker: ts.TypeChecker, symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
}

/** The name by which a node refers to something that was declared elsewhere. */
function nameIn(node: ts.Node): ts.Node | undefined {
  if (ts.isTypeReferenceNode(node)) return node.typeName
  if (ts.isExpressionWithTypeArguments(node)) return node.expression
  if (ts.isTypeQueryNode(node)) return node.exprName
  if (ts.isImportTypeNode(node)) return node.qualifier
  return undefined
}

function isHeritage(node: ts.Node): boolean {
  return ts.isExpressionWithTypeArguments(node) && ts.isHeritageClause(node.parent)
}

/** True if users would have to import it: declared at the top of a file of this package. */
function isOurs({ declarations = [] }: ts.Symbol): boolean {
  return declarations.some((declaration) => {
    const statement = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration
    return (
      ts.isSourceFile(statement.parent) &&
      !statement.getSourceFile().fileName.includes('/node_modules/@types') &&
      /\/declarations\/\d+\//.test(statement.getSourceFile().fileName)
    )
  })
}
