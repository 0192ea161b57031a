import type { Line } from './line.ts'

/** Words that one search takes; further ones are ignored. */
const maxWords = 16
/** From this length on, a word also finds longer words that begin with it. */
const minBeginning = 3

/** Text that a line is found by: names, outcome, reason and trace. */
export function wordsOfLine(line: Line): string {
  const { kind, actKind, principal, project, server, target, outcome, rule, trace, by, why, act } = line
  return [kind, actKind, principal, project, server, target, outcome, rule, trace, by, why, act]
    .filter((part) => part !== undefined)
    .join(' ')
}

const escapes: { readonly [letter: string]: string } = { '"': '"', '\\': '\\', '/': '/' }

/** Text that a payload is found by: its JSON, or the beginning of it, without escapes and encoded files. */
export function wordsOfPayload(json: string): string {
  return json
    .replaceAll(/\\(?:u([0-9a-fA-F]{4})|(.))/g, (_, code: string | undefined, letter: string) =>
      code === undefined ? (escapes[letter] ?? ' ') : String.fromCharCode(Number.parseInt(code, 16)),
    )
    .replaceAll(/[A-Za-z0-9+/_-]{200,}={0,2}/g, ' ')
}

/**
 * The expression of FTS5 for a search as people write it: every word must be there, and words in quotes side by side.
 * Undefined where there is nothing to search for.
 */
export function searchExpression(text: string): string | undefined {
  const terms = [...text.matchAll(/"([^"]*)"|(\S+)/g)].flatMap(([, exact, word = '']) => {
    const wanted = (exact ?? word).replaceAll('"', ' ')
    const letters = wanted.match(/[\p{L}\p{N}\p{Co}]+/gu)
    if (letters === null) return []
    const isBeginning = exact === undefined && (letters.at(-1)?.length ?? 0) >= minBeginning
    return [`"${letters.join(' ')}"${isBeginning ? ' *' : ''}`]
  })
  return terms.length === 0 ? undefined : terms.slice(0, maxWords).join(' AND ')
}
