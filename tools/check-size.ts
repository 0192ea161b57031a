/** Fails on a source file too long to be one idea. */
import { type File, isTest, readFiles } from './lib/files.ts'
import { type Problem, report } from './lib/problem.ts'

const ceiling = 400

/** Finds the sources with more lines than any file may have; tests and generated files may be longer. */
export function checkSize(files: readonly File[]): Problem[] {
  return sources(files)
    .filter((file) => lineCount(file) > ceiling)
    .map((file) => ({ path: file.path, message: `Has ${lineCount(file)} lines: split it, the most is ${ceiling}` }))
}

/** The number of lines that a share of the sources does not exceed. */
export function lineQuantile(files: readonly File[], share: number): number {
  const counts = sources(files)
    .map(lineCount)
    .sort((a, b) => a - b)
  return counts[Math.max(0, Math.ceil(counts.length * share) - 1)] ?? 0
}

function sources(files: readonly File[]): File[] {
  return files.filter(({ path, text }) => !isTest(path) && !/^.*\bgenerated\b/i.test(text))
}

function lineCount({ text }: File): number {
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
}

if (import.meta.main) {
  const files = readFiles('packages/**/src/**/*.ts', 'examples/**/*.ts', 'tools/**/*.ts')
  const [half, most] = [lineQuantile(files, 0.5), lineQuantile(files, 0.9)]
  report(checkSize(files), `half of the files have at most ${half} lines, nine in ten at most ${most}`)
}
