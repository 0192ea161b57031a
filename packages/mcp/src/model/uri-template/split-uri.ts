import { beginsCharacter } from './encoding.ts'

/** For every position where a piece may start: where it ends so that the rest can follow, or {@link none}. */
export type Ends = Int32Array

/** No end: the piece cannot start there. */
export const none = -1

/** A literal or an expression: told where what follows it can start, tells where it can start itself. */
export type TemplatePiece = (subject: Subject, next: Ends) => Ends

/** A normalised URI that is being cut into the pieces of a template. */
export interface Subject {
  readonly uri: string
  readonly bytes: Uint8Array
  /** Number of characters that begin before each position; a character may be several triplets. */
  readonly characters: Int32Array
  /** The work done so far, in positions looked at. */
  steps: number
}

/** Makes a normalised URI ready to be cut. */
export function subjectOf(uri: string): Subject {
  const bytes = new TextEncoder().encode(uri)
  const characters = new Int32Array(bytes.length + 1)
  for (let position = 0; position < bytes.length; position++)
    characters[position + 1] = (characters[position] as number) + (beginsCharacter(bytes, position) ? 1 : 0)
  return { uri, bytes, characters, steps: bytes.length }
}

/**
 * The text of each piece, or undefined when the URI does not match; the work is URI length times number of pieces.
 *
 * Goes from the last piece to the first, so every end a piece chooses is one after which the rest matches.
 */
export function cut(pieces: readonly TemplatePiece[], subject: Subject): readonly string[] | undefined {
  const { uri } = subject
  let next: Ends = new Int32Array(uri.length + 1).fill(none)
  next[uri.length] = uri.length
  const choices: Ends[] = []
  for (const piece of pieces.toReversed()) {
    next = piece(subject, next)
    choices.unshift(next)
  }
  if (next[0] === none) return undefined

  let position = 0
  return choices.map((ends) => {
    const start = position
    position = ends[start] as number
    return uri.slice(start, position)
  })
}

/** For every position, the first one from there on where the rest can start and no character is split. */
export function nearestStarts(subject: Subject, next: Ends): Int32Array {
  const { bytes, characters } = subject
  const nearest = new Int32Array(bytes.length + 1)
  let near = beyond
  for (let position = bytes.length; position >= 0; position--) {
    // past the end nothing begins, and nothing is split
    if (next[position] !== none && characters[position] !== characters[position + 1]) near = position
    nearest[position] = near
  }
  subject.steps += nearest.length
  return nearest
}

/** The ends of a piece that is left out wherever the rest can start. */
export function whenAbsent(next: Ends): Ends {
  return next.map((end, position) => (end === none ? none : position))
}

// larger than any position, so that it is never before a bound
const beyond = 2 ** 31 - 1
