import { lineAt } from './problem.ts'

/** A piece of TypeScript source. */
export interface Token {
  readonly kind: 'comment' | 'string' | 'template' | 'regex' | 'word' | 'number' | 'mark'
  readonly text: string
  readonly start: number
}

const shapes = {
  comment: /\/\/.*|\/\*[\s\S]*?\*\//y,
  string: /'(?:\\[\s\S]|[^'\\\n])*'|"(?:\\[\s\S]|[^"\\\n])*"/y,
  word: /[\p{ID_Start}$_#][\p{ID_Continue}$]*/uy,
  number: /\d[\w.]*/y,
  regex: /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/\w*/y,
}
const space = /\s*/y
/** ASCII that begins no word. */
const isMark = /^[!-"%-@[-^`{-~]/
const [blank, firstBeyondAscii] = [32, 128]
const beforeValue = /^(?:return|typeof|case|in|of|await|yield|void|throw|else)$/

/** Splits TypeScript into tokens; exact for imports and exports, approximate only where a `/` is ambiguous. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  // true if a value may come next, so that a `/` there opens a regular expression
  let value = true
  for (let at = spaceEnd(text, 0); at < text.length; ) {
    const { kind, end } = tokenAt(text, at, value)
    const piece = text.slice(at, end)
    tokens.push({ kind, text: piece, start: at })
    if (kind === 'word') value = beforeValue.test(piece)
    else if (kind !== 'comment') value = kind === 'mark' && !/[)\]}]/.test(piece)
    at = spaceEnd(text, end)
  }
  return tokens
}

/** The line of a token, counted from one. */
export function lineOf(text: string, token: Token): number {
  return lineAt(text, token.start)
}

/** The source with everything blanked that is no code, positions and lines kept. */
export function codeOnly(text: string): string {
  let code = ''
  for (const { kind, text: piece, start } of tokenize(text)) {
    const quiet = kind === 'comment' || kind === 'string' || kind === 'template' || kind === 'regex'
    code += text.slice(code.length, start) + (quiet ? piece.replaceAll(/[^\n]/g, ' ') : piece)
  }
  return code
}

/** Tells the kind by the first character, which no two of the shapes share except those that begin with a slash. */
function tokenAt(text: string, at: number, value: boolean): { kind: Token['kind']; end: number } {
  const first = text[at] ?? ''
  if (first === '`') return { kind: 'template', end: templateEnd(text, at) }
  for (const kind of kindsBegunBy(first)) {
    const end = kind === 'regex' && !value ? undefined : matchEnd(shapes[kind], text, at)
    if (end !== undefined) return { kind, end }
  }
  return { kind: 'mark', end: at + 1 }
}

function kindsBegunBy(first: string): readonly (keyof typeof shapes)[] {
  if (first === "'" || first === '"') return ['string']
  if (first === '/') return ['comment', 'regex']
  if (first >= '0' && first <= '9') return ['number']
  return isMark.test(first) ? [] : ['word']
}

function spaceEnd(text: string, at: number): number {
  // many tokens are followed by another one at once
  const code = text.charCodeAt(at)
  return code > blank && code < firstBeyondAscii ? at : (matchEnd(space, text, at) ?? at)
}

/** Past the closing backtick of the template that opens at a position. */
function templateEnd(text: string, open: number): number {
  let at = open + 1
  while (at < text.length && text[at] !== '`') {
    if (text[at] === '\\') at += 2
    else if (text.startsWith('${', at)) at = holeEnd(text, at + 2)
    else at++
  }
  return at + 1
}

/** Past the brace that closes a hole, which may itself hold braces, strings and templates. */
function holeEnd(text: string, start: number): number {
  let at = start
  for (let depth = 1; depth > 0 && at < text.length; ) {
    if (text[at] === '{') depth++
    if (text[at] === '}') depth--
    at = text[at] === '`' ? templateEnd(text, at) : (matchEnd(shapes.string, text, at) ?? at + 1)
  }
  return at
}

function matchEnd(shape: RegExp, text: string, at: number): number | undefined {
  shape.lastIndex = at
  return shape.test(text) ? shape.lastIndex : undefined
}
