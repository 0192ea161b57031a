import type { Meter } from '../meter.ts'
import type { PatternProgram, State } from './program.ts'

type Reader = State & { readonly kind: 'character' }

/** Looks for a match by following all ways through the machine at once, so that no way is ever tried twice. */
export class Simulation {
  readonly #program: PatternProgram
  /** The position at which each state was last reached, counted over all texts. */
  readonly #reached: Float64Array
  #position = 0
  #visited = 0
  /** States to go on from at the current position. */
  readonly #heads: number[] = []
  /** States that wait there for a character. */
  readonly #readers: Reader[] = []

  constructor(program: PatternProgram) {
    this.#program = program
    this.#reached = new Float64Array(program.states.length)
  }

  /** True if the text has a match anywhere. */
  matches(text: string, meter: Meter): boolean {
    const { start, anchored } = this.#program
    this.#heads.length = 0
    for (let at = 0; ; ) {
      if (at === 0 || !anchored) this.#heads.push(start)
      const found = this.#settle(text, at)
      meter.pay(1 + this.#visited)
      if (found) return true
      const code = text.codePointAt(at)
      if (code === undefined || (anchored && this.#readers.length === 0)) return false
      this.#read(code)
      at += code > 0xffff ? 2 : 1
    }
  }

  /** Goes as far as possible without reading; whether that reaches the end. */
  #settle(text: string, at: number): boolean {
    const { states } = this.#program
    this.#position++
    this.#visited = 0
    this.#readers.length = 0
    for (let index = this.#heads.pop(); index !== undefined; index = this.#heads.pop()) {
      if (this.#reached[index] === this.#position) continue
      this.#reached[index] = this.#position
      this.#visited++
      const state = states[index] as State
      if (state.kind === 'end') return true
      if (state.kind === 'character') this.#readers.push(state)
      else if (state.kind === 'either') this.#heads.push(state.other, state.next)
      else if (holds(state.source, text, at)) this.#heads.push(state.next)
    }
    return false
  }

  /** Takes the states that wait for this character one further. */
  #read(code: number): void {
    for (let index = 0; index < this.#readers.length; index++) {
      const { accepts, next } = this.#readers[index] as Reader
      if (accepts(code)) this.#heads.push(next)
    }
  }
}

function holds(assertion: string, text: string, at: number): boolean {
  if (assertion === '^') return at === 0
  if (assertion === '$') return at === text.length
  return (isWord(text[at - 1]) !== isWord(text[at])) === (assertion === '\\b')
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /\w/.test(character)
}
