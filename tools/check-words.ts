/** Fails on doc comments that begin with a question word, and on vague persons in comments and test titles. */
import { type File, readFiles } from './lib/files.ts'
import { type Problem, report } from './lib/problem.ts'
import { lineOf, type Token, tokenize } from './lib/tokens.ts'

/** Folders that hold TypeScript; every package among them keeps the rule. */
export const plainFolders: readonly string[] = ['bench', 'examples', 'packages', 'runtimes', 'tools']

const questionWord = /^(?:What|Whatever|Whether|Who|Whose|Whom|How|Where|Which|When|Why|As)\b/
const vaguePerson = /\b(?:(?:no|some|every|any)body|who(?:m)?ever)\b/i

/** Finds the comments and test titles that a reader has to parse twice; text inside programs and messages is not judged. */
export function checkWords(files: readonly File[]): Problem[] {
  return files.flatMap(({ path, text }) => {
    const tokens = tokenize(text)
    return tokens.flatMap((token, at) =>
      problemsIn(token, isTitle(tokens, at)).map((message) => ({ path, line: lineOf(text, token), message })),
    )
  })
}

function problemsIn({ kind, text }: Token, isTitle: boolean): string[] {
  if (kind !== 'comment' && !isTitle) return []
  const [, first = ''] = /^\/\*\*[\s*]*(\w+)/.exec(text) ?? []
  // a name of the code between backticks is quoted, not said
  const [person] = vaguePerson.exec(kind === 'comment' ? text.replaceAll(/`[^`\n]*`/g, '') : text) ?? []
  return [
    ...(questionWord.test(first) ? [`Begins with "${first}": begin a doc comment with a noun or a verb`] : []),
    ...(person ? [`Says "${person}": name the person, the program or the state that is meant`] : []),
  ]
}

/** True for the first argument of `test`, `it`, `describe`, `suite` or `verifies`; the method `describe` of a schema takes no title. */
function isTitle(tokens: readonly Token[], at: number): boolean {
  const [before, called = '', bracket] = [3, 2, 1].map((back) => tokens[at - back]?.text)
  const isText = tokens[at]?.kind === 'string' || tokens[at]?.kind === 'template'
  return (
    isText &&
    bracket === '(' &&
    /^(?:test|it|describe|suite|verifies)$/.test(called) &&
    `${before}${called}` !== '.describe'
  )
}

if (import.meta.main) {
  const files = readFiles(...plainFolders.map((folder) => `${folder}/**/*.{ts,tsx}`))
  report(checkWords(files), `${files.length} files have plain comments and test titles`)
}
