/** Reads a text as backtracking engines do, step by step, so that the steps can be counted instead of timed. */
import { type CharacterTest, characterTest } from '../../src/schema/json-schema/pattern/character.ts'
import { type PatternPiece, parse } from '../../src/schema/json-schema/pattern/parse.ts'

type Next = (at: number) => boolean

/** Steps after which it is clear that they are too many. */
const mostSteps = 100_000

/** A regular expression, taken apart. */
export class Backtracking {
  readonly #piece: PatternPiece
  readonly #flags: string
  readonly #tests = new Map<string, CharacterTest>()
  #kinds: readonly string[] | undefined
  #text = ''
  #steps = 0

  constructor({ source, flags }: RegExp) {
    // looking ahead costs no more than reading does
    this.#piece = parse(source.replaceAll('(?=', '(?:'))
    this.#flags = flags
  }

  /** The steps it takes to find every match that the flags ask for, or to find none; `Infinity` stands for too many. */
  stepsOn(text: string): number {
    this.#text = text
    this.#steps = 0
    for (let start = 0; start <= text.length; ) {
      let end: number | undefined
      this.#read(this.#piece, start, (at) => {
        end = at
        return true
      })
      if (end === undefined ? this.#flags.includes('y') : !this.#flags.includes('g')) break
      start = Math.max(start + 1, end ?? 0)
    }
    return this.#steps > mostSteps ? Number.POSITIVE_INFINITY : this.#steps
  }

  /** One character of every kind that the expression tells apart. */
  get kinds(): readonly string[] {
    this.#kinds ??= this.#toldApart()
    return this.#kinds
  }

  #toldApart(): readonly string[] {
    const characters = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)).concat('é', '\u{1f600}')
    const sources = [...charactersIn(this.#piece)]
    const kindOf = (character: string): string =>
      sources.map((source) => this.#accepts(source, codeOf(character))).join()
    return [...new Map(characters.map((character) => [kindOf(character), character])).values()]
  }

  /** Those of them that may come again and again. */
  get repeated(): readonly string[] {
    const sources = [...loopsIn(this.#piece)].flatMap((loop) => [...charactersIn(loop)])
    return this.kinds.filter((kind) => sources.some((source) => this.#accepts(source, codeOf(kind))))
  }

  /** The shortest texts that lead to each part that repeats. */
  get approaches(): readonly string[] {
    return [...new Set(['', ...this.#approachesIn(this.#piece, '')])]
  }

  #read(piece: PatternPiece, at: number, next: Next): boolean {
    if (this.#steps++ > mostSteps) return true
    if (piece.kind === 'assertion') return this.#holds(piece.source, at) && next(at)
    if (piece.kind === 'choice') return piece.options.some((option) => this.#read(option, at, next))
    if (piece.kind === 'repeat') return this.#repeat(piece, { at, done: 0 }, next)
    if (piece.kind === 'sequence') return this.#sequence(piece.parts, { at, done: 0 }, next)
    const code = this.#text.codePointAt(at)
    return code !== undefined && this.#accepts(piece.source, code) && next(at + (code > 0xffff ? 2 : 1))
  }

  #sequence(parts: readonly PatternPiece[], { at, done }: Place, next: Next): boolean {
    const part = parts[done]
    return part ? this.#read(part, at, (to) => this.#sequence(parts, { at: to, done: done + 1 }, next)) : next(at)
  }

  #repeat(piece: Repeat, { at, done }: Place, next: Next): boolean {
    const again = (to: number): boolean =>
      (to > at || done < piece.min) && this.#repeat(piece, { at: to, done: done + 1 }, next)
    if (done < piece.max && this.#read(piece.part, at, again)) return true
    return done >= piece.min && next(at)
  }

  #holds(assertion: string, at: number): boolean {
    if (assertion === '^') return at === 0
    if (assertion === '$') return at === this.#text.length
    if (assertion === '\\b') return isWord(this.#text[at - 1]) !== isWord(this.#text[at])
    throw new Error(`Cannot count the steps of ${assertion}`)
  }

  #accepts(source: string, code: number): boolean {
    const known = this.#tests.get(source)
    if (known) return known(code)
    const test = characterTest(source)
    this.#tests.set(source, test)
    return test(code)
  }

  /** Yields what leads to the repetitions in a piece, and returns what leads past it. */
  *#approachesIn(piece: PatternPiece, before: string): Generator<string, string> {
    let past = before
    if (piece.kind === 'character')
      return before + (this.kinds.find((one) => this.#accepts(piece.source, codeOf(one))) ?? '')
    if (piece.kind === 'sequence') for (const part of piece.parts) past = yield* this.#approachesIn(part, past)
    if (piece.kind === 'choice') for (const option of piece.options) past = yield* this.#approachesIn(option, before)
    if (piece.kind === 'repeat') {
      yield before
      const once = yield* this.#approachesIn(piece.part, before)
      past = piece.min === 0 ? before : before + once.slice(before.length).repeat(piece.min)
    }
    return past
  }
}

type Repeat = PatternPiece & { readonly kind: 'repeat' }

interface Place {
  readonly at: number
  /** Number of parts, or repetitions, that are behind. */
  readonly done: number
}

function charactersIn(piece: PatternPiece): ReadonlySet<string> {
  if (piece.kind === 'character') return new Set([piece.source])
  return new Set(partsOf(piece).flatMap((part) => [...charactersIn(part)]))
}

function* loopsIn(piece: PatternPiece): Generator<PatternPiece> {
  if (piece.kind === 'repeat' && piece.max === Number.POSITIVE_INFINITY) yield piece
  for (const part of partsOf(piece)) yield* loopsIn(part)
}

function partsOf(piece: PatternPiece): readonly PatternPiece[] {
  if (piece.kind === 'repeat') return [piece.part]
  if (piece.kind === 'choice') return piece.options
  return piece.kind === 'sequence' ? piece.parts : []
}

function codeOf(character: string): number {
  return character.codePointAt(0) as number
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /\w/.test(character)
}
