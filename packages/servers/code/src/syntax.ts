import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { quoted } from '@trunkline/server-kit/preview'
import { ToolProblem } from '@trunkline/server-kit/tool-problem'
import type * as TreeSitter from '@vscode/tree-sitter-wasm'
import { loadTreeSitter, readBundledGrammar } from './tree-sitter-files.ts'

/** A grammar of tree-sitter: the name of a bundled one, or the path of a `.wasm` file. */
export type Grammars = { readonly [end: string]: string }

/** Bundled grammars, by the ends of file names. */
const bundled: Grammars = {
  ...Object.fromEntries(['.ts', '.mts', '.cts'].map((end) => [end, 'typescript'])),
  ...Object.fromEntries(['.js', '.mjs', '.cjs', '.jsx'].map((end) => [end, 'javascript'])),
  ...Object.fromEntries(['.sh', '.bash'].map((end) => [end, 'bash'])),
  ...Object.fromEntries(['.c', '.h', '.cc', '.cpp', '.hpp'].map((end) => [end, 'cpp'])),
  ...{ '.tsx': 'tsx', '.py': 'python', '.pyi': 'python', '.go': 'go', '.rs': 'rust', '.java': 'java', '.rb': 'ruby' },
  ...{ '.php': 'php', '.cs': 'c-sharp', '.css': 'css', '.ini': 'ini', '.ps1': 'powershell' },
}

/** Nodes deeper than this below the first one shown are left out. */
const maxDepth = 12
/** Characters of a node without named nodes in it that are shown. */
const maxLeafChars = 40
/** Captures of a query that are returned. */
const maxCaptures = 100

/** A capture of a query. */
export interface Capture {
  readonly name: string
  readonly line: number
  readonly text: string
}

/** Part of a file whose tree is wanted. */
export interface SyntaxRequest {
  readonly path: string
  readonly text: string
  /** The first line, counted from 1. */
  readonly from: number
  readonly lines: number
}

/** Parses files with tree-sitter, which needs neither a language server nor the project's consent. */
export class SyntaxTrees {
  readonly #grammars: Grammars
  readonly #maxMs: number
  readonly #loaded = new Map<string, Promise<TreeSitter.Language>>()
  #library: Promise<typeof TreeSitter> | undefined

  /** `grammars` are added to the bundled ones. */
  constructor(grammars: Grammars, maxMs: number) {
    this.#grammars = { ...bundled, ...grammars }
    this.#maxMs = maxMs
  }

  /** The tree of named nodes of some lines, one per line, indented. */
  async outline(request: SyntaxRequest): Promise<string> {
    using tree = await this.#parse(request)
    const lines: string[] = []
    showNode(tree.root, { first: request.from - 1, last: request.from + request.lines - 2, depth: 0, lines })
    return lines.join('\n')
  }

  /** The first captures of a query in some lines, and the number of all. */
  async captures(
    request: SyntaxRequest,
    query: string,
  ): Promise<{ readonly first: readonly Capture[]; total: number }> {
    using tree = await this.#parse(request)
    const { Query } = await this.#load()
    const compiled = compile(() => new Query(tree.language, query))
    try {
      const timer = stopAfter(this.#maxMs)
      const found = compiled.captures(tree.root, {
        startPosition: { row: request.from - 1, column: 0 },
        endPosition: { row: request.from + request.lines - 1, column: 0 },
        matchLimit: 10_000,
        progressCallback: timer.isOver,
      })
      if (timer.wasOver()) throw tooSlow('run this query')
      const first = found.slice(0, maxCaptures).map(({ name, node }) => ({
        name,
        line: node.startPosition.row + 1,
        text: firstLine(node.text),
      }))
      return { first, total: found.length }
    } finally {
      compiled.delete()
    }
  }

  async #parse({ path, text }: SyntaxRequest) {
    const { Parser } = await this.#load()
    const language = await this.#language(path)
    const parser = new Parser()
    const timer = stopAfter(this.#maxMs)
    try {
      parser.setLanguage(language)
      const tree = parser.parse(text, null, { progressCallback: timer.isOver })
      if (tree === null) throw tooSlow('parse this file')
      return { root: tree.rootNode, language, [Symbol.dispose]: () => tree.delete() }
    } finally {
      parser.delete()
    }
  }

  async #language(path: string): Promise<TreeSitter.Language> {
    const end = extname(path).toLowerCase()
    const grammar = this.#grammars[end]
    if (grammar === undefined) {
      throw new ToolProblem('unavailable', `Cannot parse ${quoted(path)}: there is no grammar for "${end}" files`, {
        next: `Configure one: --grammar '${end || '.end'}=FILE.wasm'`,
      })
    }
    const loaded = this.#loaded.get(grammar) ?? this.#loadGrammar(grammar)
    this.#loaded.set(grammar, loaded)
    return loaded
  }

  async #loadGrammar(grammar: string): Promise<TreeSitter.Language> {
    const { Language } = await this.#load()
    const isFile = grammar.endsWith('.wasm')
    const bytes = await (isFile ? readFile(grammar).catch(() => undefined) : readBundledGrammar(grammar))
    if (bytes === undefined) {
      const missing = isFile ? `there is no file ${JSON.stringify(grammar)}` : `"${grammar}" is not installed`
      throw new ToolProblem('unavailable', `Cannot load a grammar: ${missing}`)
    }
    return Language.load(bytes)
  }

  // loaded with the first file: most of the start of the library is the compilation of its wasm
  #load(): Promise<typeof TreeSitter> {
    this.#library ??= (async () => {
      const library = loadTreeSitter()
      await library.Parser.init()
      return library
    })()
    return this.#library
  }
}

interface Shown {
  readonly first: number
  readonly last: number
  readonly depth: number
  readonly lines: string[]
}

function showNode(node: TreeSitter.Node, shown: Shown): void {
  const [from, to] = [node.startPosition.row, node.endPosition.row]
  if (to < shown.first || from > shown.last || shown.depth > maxDepth) return
  const place = from === to ? `${from + 1}` : `${from + 1}-${to + 1}`
  const field = node.childForFieldName('name')
  const name = field ? ` ${quoted(firstLine(field.text))}` : ''
  const leaf = node.namedChildCount === 0 && node.text.length <= maxLeafChars ? ` ${quoted(node.text)}` : name
  const wrong = node.isError || node.isMissing ? ' (syntax error)' : ''
  shown.lines.push(`${'  '.repeat(shown.depth)}${node.type} ${place}${leaf}${wrong}`)
  for (const child of node.namedChildren) if (child) showNode(child, { ...shown, depth: shown.depth + 1 })
}

function firstLine(text: string): string {
  const [line = ''] = text.split('\n', 1)
  return line.length > 160 ? `${line.slice(0, 160)}…` : line
}

function compile<T>(make: () => T): T {
  try {
    return make()
  } catch (error) {
    throw new ToolProblem('refused', `Cannot run this query: ${quoted((error as Error).message)}`, {
      next: 'Write it in the query language of tree-sitter: (function_declaration name: (identifier) @name)',
    })
  }
}

function stopAfter(maxMs: number) {
  const deadline = performance.now() + maxMs
  let isOver = false
  return {
    isOver: (): boolean => {
      isOver = performance.now() > deadline
      return isOver
    },
    wasOver: () => isOver,
  }
}

function tooSlow(what: string): ToolProblem {
  return new ToolProblem('unavailable', `Cannot ${what}: it takes too long`, { next: 'Ask for fewer lines' })
}
