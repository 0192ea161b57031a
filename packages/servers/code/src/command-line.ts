import type { CodeServerOptions } from './code-server.ts'
import type { Language } from './languages.ts'

/** Options of the server from a command line, and the flags that the library reads. */
export interface CodeCommandLine {
  readonly options: CodeServerOptions
  readonly rest: readonly string[]
}

/** The flags of this program; the others are the library's. */
export const usage = `trunkline-code [directory…]
  --language 'NAME[:.end,.end]=COMMAND'  command of a language server; the ends of file names for a new language
  --accept 'COMMAND'                     accepts exactly this command for these directories
  --accepted FILE                        keeps what the person accepts by an answer
  --grammar '.end=FILE.wasm'             grammar of tree-sitter for files
`

/** Reads the words of a command line; throws an error that says which one is wrong. */
export function readCommandLine(words: readonly string[], cwd: string): CodeCommandLine {
  const directories: string[] = []
  const languages: Language[] = []
  const accept: string[] = []
  const grammars: Record<string, string> = {}
  const rest: string[] = []
  let acceptedFile: string | undefined
  for (let at = 0; at < words.length; at++) {
    const [word = '', value] = [words[at], words[at + 1]]
    if (!own.has(word)) {
      // a value of a flag of the library stands behind it
      if (word.startsWith('-') || rest.length > 0) rest.push(word)
      else directories.push(word)
      continue
    }
    if (value === undefined) throw new Error(`Cannot start: "${word}" takes a value\n\n${usage}`)
    at++
    if (word === '--language') languages.push(languageFrom(value))
    if (word === '--accept') accept.push(value)
    if (word === '--accepted') acceptedFile = value
    if (word === '--grammar') Object.assign(grammars, grammarFrom(value))
  }
  return {
    options: {
      directories: directories.length === 0 ? [cwd] : directories,
      ...{ languages, accept, grammars },
      ...(acceptedFile !== undefined && { acceptedFile }),
    },
    rest,
  }
}

const own: ReadonlySet<string> = new Set(['--language', '--accept', '--accepted', '--grammar'])

function languageFrom(value: string): Language {
  const [, name, ends, command] = /^([\w-]+)(?::([^=]*))?=(.+)$/.exec(value) ?? []
  if (name === undefined || command === undefined) {
    throw new Error(
      `Cannot start: --language takes 'NAME=COMMAND' or 'NAME:.end,.end=COMMAND', not ${JSON.stringify(value)}`,
    )
  }
  const files = ends === undefined ? {} : { files: ends.split(',').map((end) => end.trim()) }
  // a language that is known keeps its files
  return { name, command: splitWords(command), ...files } as Language
}

function grammarFrom(value: string): Record<string, string> {
  const at = value.indexOf('=')
  if (at < 1 || !value.endsWith('.wasm')) {
    throw new Error(`Cannot start: --grammar takes '.end=FILE.wasm', not ${JSON.stringify(value)}`)
  }
  return { [value.slice(0, at)]: value.slice(at + 1) }
}

/** The words of a command line; double quotes hold a word together, as {@link showWords} writes it. */
export function splitWords(line: string): readonly string[] {
  return Array.from(line.matchAll(/"(?:[^"\\]|\\.)*"|\S+/g), ([word]) =>
    word.startsWith('"') ? JSON.parse(word) : word,
  )
}
