import { type CharacterTest, characterTest } from './character.ts'
import type { PatternPiece } from './parse.ts'

/** One state of the machine a regular expression becomes; `next` is an index among the states. */
export type State =
  | { readonly kind: 'character'; readonly accepts: CharacterTest; readonly next: number }
  | { readonly kind: 'assertion'; readonly source: string; readonly next: number }
  | { readonly kind: 'either'; next: number; readonly other: number }
  | { readonly kind: 'end' }

/** A regular expression as a machine that reads each character once. */
export interface PatternProgram {
  readonly states: readonly State[]
  readonly start: number
  /** True if it can only match at the start of a text. */
  readonly anchored: boolean
}

/** Turns a regular expression into a machine; `allow` is asked before each state, and throws when there are too many. */
export function assemble(piece: PatternPiece, allow: () => void): PatternProgram {
  const assembly = new Assembly(allow)
  const start = assembly.build(piece, assembly.add({ kind: 'end' }))
  return { states: assembly.states, start, anchored: isAnchored(piece) }
}

/** A machine being built, from its end to its start. */
class Assembly {
  readonly states: State[] = []
  readonly #tests = new Map<string, CharacterTest>()
  readonly #allow: () => void

  constructor(allow: () => void) {
    this.#allow = allow
  }

  add(state: State): number {
    this.#allow()
    return this.states.push(state) - 1
  }

  /** Builds a piece that goes on to `next`, and returns where it starts. */
  build(piece: PatternPiece, next: number): number {
    switch (piece.kind) {
      case 'character':
        return this.add({ kind: 'character', accepts: this.#test(piece.source), next })
      case 'assertion':
        return this.add({ kind: 'assertion', source: piece.source, next })
      case 'sequence':
        return piece.parts.reduceRight((after, part) => this.build(part, after), next)
      case 'choice':
        return piece.options
          .map((option) => this.build(option, next))
          .reduceRight((other, start) => this.add({ kind: 'either', next: start, other }))
      case 'repeat':
        if (piece.max === Infinity) return this.#buildLoop(piece.part, piece.min, next)
        return this.#buildCopies(piece.part, piece.min, this.#buildOptional(piece.part, piece.max - piece.min, next))
    }
  }

  #buildLoop(part: PatternPiece, min: number, next: number): number {
    const loop: State & { kind: 'either' } = { kind: 'either', next, other: next }
    const again = this.add(loop)
    loop.next = this.build(part, again)
    // the part that is repeated is the last of those that have to be there
    return min === 0 ? again : this.#buildCopies(part, min - 1, loop.next)
  }

  #buildOptional(part: PatternPiece, copies: number, next: number): number {
    let start = next
    for (let copy = 0; copy < copies; copy++)
      start = this.add({ kind: 'either', next: this.build(part, start), other: next })
    return start
  }

  #buildCopies(part: PatternPiece, copies: number, next: number): number {
    let start = next
    for (let copy = 0; copy < copies; copy++) {
      const before = this.build(part, start)
      // an empty part stays empty however often it is repeated
      if (before === start) break
      start = before
    }
    return start
  }

  #test(source: string): CharacterTest {
    const test = this.#tests.get(source) ?? characterTest(source)
    this.#tests.set(source, test)
    return test
  }
}

function isAnchored(piece: PatternPiece): boolean {
  if (piece.kind === 'assertion') return piece.source === '^'
  if (piece.kind === 'sequence') return piece.parts[0] !== undefined && isAnchored(piece.parts[0])
  if (piece.kind === 'choice') return piece.options.every(isAnchored)
  return false
}
