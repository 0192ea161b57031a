/** Fails when a source outside `wire/` and `dialects/` knows which revision of the protocol is spoken. */
import { type File, isTest, packageSources, readFiles } from './lib/files.ts'
import { lineAt, type Problem, report } from './lib/problem.ts'
import { codeOnly } from './lib/tokens.ts'

const mayKnow = /\/src\/(?:wire|dialects)\//
const date = /2024-11-05|2025-03-26|2025-06-18|2025-11-25|2026-07-28/g
// the formatter puts spaces around an operator and none before a type argument
const comparison = /([\w$.?!()[\]]+) (?:[<>]=?)\s+([\w$.?!()[\]]+)/g
const comparedText = /^.*\.localeCompare\b.*$/gm
// whole words or parts of an identifier, so that neither "generate" nor "camera" counts
const ageWord = new RegExp(
  [
    '(?<![A-Za-z])(?:legacy|modern|eras?)(?![a-z])',
    '(?:Legacy|Modern|Eras?)(?![a-z])',
    '(?<![A-Z])(?:LEGACY|MODERN|ERAS?)(?![A-Z])',
  ].join('|'),
  'g',
)

/** Finds revision dates, comparisons of versions, and words that order revisions by age. */
export function checkDialects(files: readonly File[]): Problem[] {
  return files.filter(({ path }) => !isTest(path) && !mayKnow.test(path)).flatMap(checkFile)
}

function checkFile({ path, text }: File): Problem[] {
  const code = codeOnly(text)
  const found = [
    ...[...text.matchAll(date)].map((match) => ({ match, says: `spells the revision ${match[0]}` })),
    ...[...text.matchAll(ageWord)].map((match) => ({ match, says: `says "${match[0]}"` })),
    ...[...code.matchAll(comparison)]
      .filter(([, left = '', right = '']) => namesVersion(left) || namesVersion(right))
      .map((match) => ({ match, says: 'compares versions' })),
    ...[...code.matchAll(comparedText)]
      .filter(([line]) => namesVersion(line))
      .map((match) => ({ match, says: 'compares versions by localeCompare' })),
  ]
  return found.map(({ match, says }) => ({
    path,
    line: lineAt(text, match.index),
    message: `This file ${says}: only wire/ and dialects/ may tell revisions apart`,
  }))
}

/** True if an operand is a version; a number of versions is none. */
function namesVersion(operand: string): boolean {
  return /version|revision/i.test(operand) && !/\.(?:length|size)$/.test(operand)
}

if (import.meta.main) {
  const files = readFiles(packageSources)
  report(checkDialects(files), `${files.length} files read, revisions stay in wire/ and dialects/`)
}
