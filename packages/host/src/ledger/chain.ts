import { hash } from 'node:crypto'
import type { ChainedLine } from './line.ts'

/** Hash before the first line. */
export const chainStart = '0'.repeat(64)

/** The hash of a line, which holds all lines before it in place. */
export function chainHash(number: number, at: number, text: string, previous: string): string {
  return hash('sha256', `${previous}\n${number}\n${at}\n${text}`)
}

/** Place where a chain breaks. */
export interface ChainBreak {
  readonly number: number
  /** A sentence for a person. */
  readonly why: string
}

/** A line as text, the way it was written: its hash is over these very characters. */
export type WrittenLine = Omit<ChainedLine, 'line'> & { readonly text: string }

/** The first place where lines do not follow from each other; `after` is the place before the first of them. */
export function findBreak(
  lines: Iterable<WrittenLine>,
  after: { readonly number: number; readonly hash: string } = { number: 0, hash: chainStart },
): ChainBreak | undefined {
  let { number: expected, hash: previous } = after
  for (const { number, at, text, previous: said, hash: found } of lines) {
    expected += 1
    if (number !== expected) return { number: expected, why: `line ${expected} is missing; line ${number} follows` }
    if (said !== previous) return { number, why: `line ${number} does not follow from the line before it` }
    if (found !== chainHash(number, at, text, previous)) return { number, why: `line ${number} was altered` }
    previous = found
  }
  return undefined
}
