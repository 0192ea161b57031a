import { formatPath, type SchemaProblem } from '../problems.ts'
import type { SchemaLimits } from './compile-options.ts'
import { Marks } from './evaluated-marks.ts'

/** A compiled schema or keyword. */
export type Check = (value: unknown, run: Run) => boolean

/** Ends a validation that reached a limit, from any depth. */
export class LimitReached extends Error {}

/**
 * One validation in progress. It first asks only yes or no and stops at the first no; a value that failed is gone
 * through a second time, explaining, and then every failing check says what it wanted.
 */
export class Run {
  readonly #limits: SchemaLimits
  readonly #path: (string | number)[] = []
  #steps = 0
  #nesting = 0
  #problems: SchemaProblem[] | undefined
  #trials = 0
  #elaborations = 0
  /** Present where an unevaluated keyword waits for what others looked at. */
  marks: Marks | undefined
  /** The schema resources entered to get here, outermost first; a run only tells them apart. */
  readonly resources: object[]

  constructor(root: object, limits: SchemaLimits) {
    this.resources = [root]
    this.#limits = limits
  }

  /** Starts a validation without explanations. */
  start(): void {
    this.#steps = 0
    this.#restart(undefined)
  }

  /** Starts again to explain a failure; earlier steps still count. */
  startExplaining(problems: SchemaProblem[]): void {
    this.#restart(problems)
  }

  #restart(problems: SchemaProblem[] | undefined): void {
    this.#problems = problems
    this.#nesting = 0
    this.#trials = 0
    this.#elaborations = 0
    this.marks = undefined
    // only an abandoned run leaves these behind, and truncating an array is slow even when there is nothing to cut
    if (this.#path.length > 0) this.#path.length = 0
    if (this.resources.length > 1) this.resources.length = 1
  }

  /** True if checks go on after a failure, to list every problem. */
  get explaining(): boolean {
    return this.#problems !== undefined
  }

  /** Place of the current value, while explaining. */
  get path(): string {
    return formatPath(this.#path)
  }

  /** Spends steps. */
  pay(steps: number): void {
    this.#steps += steps
    if (this.#steps > this.#limits.maxSteps) throw new LimitReached('too costly to check')
  }

  /** Spends the steps for the nth member of an object. */
  payMember(number: number): void {
    this.pay(number > maxFastMembers ? slowMemberSteps : 1)
  }

  /** Goes levels deeper, as far as the call stack may bear; {@link leave} comes back. */
  enter(levels: number): void {
    this.#nesting += levels
    if (this.#nesting > this.#limits.maxNesting) throw new LimitReached('too deeply nested to check')
  }

  leave(levels: number): void {
    this.#nesting -= levels
  }

  /** Reports a problem; returns the result of a failing check. */
  fail(message: string): false {
    if (this.#problems !== undefined) this.report([{ path: this.path, message }])
    return false
  }

  /** A failure that names a member which is missing or should be. */
  failAt(key: string, message: string): false {
    if (this.#problems !== undefined) this.report([{ path: formatPath([...this.#path, key]), message }])
    return false
  }

  /** Reports problems that {@link problemsOf} found. */
  report(problems: readonly SchemaProblem[]): void {
    this.pay(problems.length * reportSteps)
    for (const problem of problems) {
      if (this.#problems && this.#problems.length < this.#limits.maxProblems) this.#problems.push(problem)
      else if (this.#trials === 0) throw new LimitReached('has more problems than these')
    }
  }

  /** Checks a member of the current value. */
  member(check: Check, value: unknown, key: string | number): boolean {
    if (this.#problems === undefined && this.marks === undefined) return check(value, this)
    const { marks } = this
    this.marks = undefined
    this.#path.push(key)
    const ok = check(value, this)
    this.#path.pop()
    this.marks = marks
    return ok
  }

  /** Checks a value without marks or problems. */
  test(check: Check, value: unknown): boolean {
    if (this.#problems === undefined && this.marks === undefined) return check(value, this)
    const problems = this.#problems
    const { marks } = this
    this.#problems = undefined
    this.marks = undefined
    const ok = check(value, this)
    this.#problems = problems
    this.marks = marks
    return ok
  }

  /** Checks the current value without failing; a match leaves marks. */
  attempt(check: Check, value: unknown): boolean {
    const { marks } = this
    if (marks === undefined) return this.test(check, value)
    const problems = this.#problems
    const gained = new Marks()
    this.#problems = undefined
    this.marks = gained
    const ok = check(value, this)
    this.#problems = problems
    this.marks = marks
    if (ok) this.pay(marks.add(gained))
    return ok
  }

  /** The problems that one check has with the current value, without reporting them. */
  problemsOf(check: Check, value: unknown): readonly SchemaProblem[] {
    const problems = this.#problems
    const found: SchemaProblem[] = []
    this.#problems = found
    this.#trials++
    check(value, this)
    this.#trials--
    this.#problems = problems
    return found
  }

  /** True if a failure may be explained at length; the first few of a validation may. */
  elaborates(): boolean {
    return this.explaining && ++this.#elaborations <= maxElaborations
  }
}

// engines keep the members of larger objects in hash tables, which take far longer to list
const maxFastMembers = 1_000
const slowMemberSteps = 20
// an explained failure builds strings, which takes as long as a few dozen plain steps
const reportSteps = 20
const maxElaborations = 50
