import { lineOf, type Token, tokenize } from './tokens.ts'

/** One `import`, or one `export … from`. */
export interface Import {
  readonly specifier: string
  /** `type` is erased before the program runs, `dynamic` is `import(…)`. */
  readonly kind: 'static' | 'type' | 'dynamic'
  readonly line: number
}

/** One name a module exports, or with `name: '*'` all the names of another module. */
export interface Export {
  readonly name: string
  readonly type: boolean
  /** Module that it is re-exported from, if any. */
  readonly from?: string
}

/** Every module that a source names. */
export function readImports(text: string): Import[] {
  const tokens = meaningful(text)
  return tokens.flatMap((token, at) => {
    if (!startsStatement(tokens, at)) return []
    const dynamic = token.text === 'import' && tokens[at + 1]?.text === '('
    const source = dynamic ? tokens[at + 2] : sourceOf(tokens, at)
    if (source?.kind !== 'string') return []
    const kind = dynamic ? 'dynamic' : isTypeOnly(tokens, at) ? 'type' : 'static'
    return [{ specifier: source.text.slice(1, -1), kind, line: lineOf(text, token) }]
  })
}

/** Every name that a source exports. */
export function readExports(text: string): Export[] {
  const tokens = meaningful(text)
  return tokens.flatMap((token, at) => {
    if (token.text !== 'export' || !startsStatement(tokens, at)) return []
    const type = isTypeOnly(tokens, at)
    const first = at + (type ? 2 : 1)
    const source = sourceOf(tokens, at)
    const from = source && { from: source.text.slice(1, -1) }
    if (tokens[first]?.text === '{')
      return listed(tokens, first).map((one) => ({ ...one, type: one.type || type, ...from }))
    if (tokens[first]?.text !== '*') return declared(tokens, at + 1)
    if (tokens[first + 1]?.text === 'as') return [{ name: tokens[first + 2]?.text ?? '', type }]
    return [{ name: '*', type, ...from }]
  })
}

function meaningful(text: string): Token[] {
  return tokenize(text).filter(({ kind }) => kind !== 'comment')
}

/** True if the token is the `import` or `export` of a statement or call, rather than a property of that name. */
function startsStatement(tokens: readonly Token[], at: number): boolean {
  const { kind, text } = tokens[at] as Token
  if (kind !== 'word' || (text !== 'import' && text !== 'export') || tokens[at - 1]?.text === '.') return false
  return ![':', '.', ',', '}', '=', ';'].includes(tokens[at + 1]?.text ?? ';')
}

/** `export type {` and `export type *` are; `export type X =` is a declaration. An import of inline types still loads. */
function isTypeOnly(tokens: readonly Token[], at: number): boolean {
  if (tokens[at + 1]?.text !== 'type') return false
  const after = tokens[at + 2]
  if (tokens[at]?.text === 'export') return after?.text === '{' || after?.text === '*'
  return after?.text !== 'from' && after?.text !== ','
}

function sourceOf(tokens: readonly Token[], at: number): Token | undefined {
  const first = at + (isTypeOnly(tokens, at) ? 2 : 1)
  const isList = tokens[first]?.text === '{'
  if (tokens[at]?.text === 'export' && !isList && tokens[first]?.text !== '*') return undefined
  const end = isList ? tokens.findIndex(({ text }, index) => index > first && text === '}') : first
  if (isList && tokens[end + 1]?.text !== 'from') return undefined
  return tokens.find(({ kind }, index) => index >= end && kind === 'string')
}

/** The names between braces: `a, b as c, type D`. */
function listed(tokens: readonly Token[], open: number): Export[] {
  const names: Export[] = []
  let words: string[] = []
  for (const { text } of tokens.slice(open + 1)) {
    if (text !== ',' && text !== '}') words.push(text)
    else if (words.length > 0) {
      names.push({ name: words.at(-1) ?? '', type: words.length > 1 && words[0] === 'type' && words[1] !== 'as' })
      words = []
    }
    if (text === '}') break
  }
  return names
}

/** The name that `export const x`, `export async function* x` or `export interface X` declares. */
function declared(tokens: readonly Token[], first: number): Export[] {
  const words = tokens.slice(first, first + 5).map(({ text }) => text)
  if (words[0] === 'default') return [{ name: 'default', type: false }]
  const keyword = words.findIndex((word) => /^(?:const|let|var|function|class|interface|type)$/.test(word))
  const name = words.slice(keyword + 1).find((word) => word !== '*')
  return name === undefined ? [] : [{ name, type: words[keyword] === 'interface' || words[keyword] === 'type' }]
}
