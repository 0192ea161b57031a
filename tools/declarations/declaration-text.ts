import ts from 'typescript'

/** Context for writing a declaration as users would. */
export interface Known {
  readonly checker: ts.TypeChecker
  /** The names that users import, by what they stand for. */
  readonly publicNames: ReadonlyMap<ts.Symbol, string>
}

/** A declaration as users read it: types by the names they import, no words about modules, two spaces of indentation. */
export function declarationText(node: ts.Node, known: Known): string {
  return withPublicNames(node, known)
    .replace(/^export (?:declare )?/, '')
    .replace(/^ *#private;\n/m, '')
    .replace(/^( {4})+/gm, (indent) => indent.slice(indent.length / 2))
}

function withPublicNames(node: ts.Node, known: Known): string {
  const start = node.getStart()
  let text = node.getText()
  // from the end, so that the places of those before stay true
  for (const { name, publicName } of renamed(node, known).reverse()) {
    text = text.slice(0, name.getStart() - start) + publicName + text.slice(name.end - start)
  }
  return text
}

/** The names in a declaration that users know by another one, in order. */
function renamed(node: ts.Node, known: Known): { name: ts.Node; publicName: string }[] {
  const name = nameIn(node)
  const publicName = name && publicNameOf(name, known)
  const own = name && publicName && publicName !== name.getText() ? [{ name, publicName }] : []
  const inner: { name: ts.Node; publicName: string }[] = []
  ts.forEachChild(node, (child) => {
    inner.push(...renamed(child, known))
  })
  return [...own, ...inner]
}

function publicNameOf(name: ts.Node, { checker, publicNames }: Known): string | undefined {
  const symbol = checker.getSymbolAtLocation(name)
  if (!symbol) return undefined
  return publicNames.get(symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol)
}

function nameIn(node: ts.Node): ts.Node | undefined {
  if (ts.isTypeReferenceNode(node)) return node.typeName
  if (ts.isExpressionWithTypeArguments(node)) return node.expression
  if (ts.isTypeQueryNode(node)) return node.exprName
  if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isClassDeclaration(node))
    return node.name
  return undefined
}
