import { type Fields, isId, isObject } from './messages.ts'

/** A fault in a value and its place, as in `tools[3].inputSchema.type`. */
export interface ShapeProblem {
  /** Empty when the value itself is at fault. */
  readonly path: string
  readonly message: string
}

/** A check of one kind of JSON value; it allocates nothing when the value fits. */
export interface Shape {
  check(value: unknown): ShapeProblem | undefined
  /** The members an object of this shape knows; others are allowed and left alone. */
  readonly fields?: ReadonlySet<string> | undefined
  /** The shape of each of those members. */
  readonly members?: ShapeMembers | undefined
}

/** The members of an object by name; one that is not `optional` is required. */
export interface ShapeMembers {
  readonly [name: string]: Shape
}

const longestStep = 80
const missing: ShapeProblem = { path: '', message: 'is required' }
const notObject: ShapeProblem = { path: '', message: 'must be an object' }
const notArray: ShapeProblem = { path: '', message: 'must be an array' }

export const string = simple('must be a string', (value) => typeof value === 'string')
export const number = simple('must be a number', Number.isFinite)
export const integer = simple('must be an integer', Number.isInteger)
export const boolean = simple('must be true or false', (value) => typeof value === 'boolean')
/** Any JSON value at all, so everything but undefined. */
export const anything = simple('is required', (value) => value !== undefined)
/** Any object. */
export const anyObject = simple('must be an object', isObject)
/** An id, progress token or subscription label. */
export const id = simple('must be a string or an integer below 2^53', isId)

/** A number between two bounds, inclusive. */
export function between(least: number, most: number): Shape {
  return simple(`must be a number from ${least} to ${most}`, (value) => {
    return typeof value === 'number' && value >= least && value <= most
  })
}

/** Exactly this value. */
export function literal(expected: string | null): Shape {
  return simple(`must be ${JSON.stringify(expected)}`, (value) => value === expected)
}

/** Any of these words. */
export function oneOfWords(...words: readonly string[]): Shape {
  return simple(`must be ${listed(words)}`, (value) => words.includes(value as string))
}

/** May be absent. */
export function optional(of: Shape): Shape {
  return shape((value) => (value === undefined ? undefined : of.check(value)), of.members)
}

/** An array of such values, of any length up to `most`. */
export function array(of: Shape, most = Number.POSITIVE_INFINITY): Shape {
  return shape((value) => {
    if (!Array.isArray(value)) return notArray
    if (value.length > most) return { path: '', message: `must hold at most ${most} items` }
    for (let index = 0; index < value.length; index++) {
      const problem = of.check(value[index])
      if (problem !== undefined) return within(index, problem)
    }
    return undefined
  })
}

/** One such value, or an array of them. */
export function oneOrMany(of: Shape): Shape {
  const many = array(of)
  return shape((value) => (Array.isArray(value) ? many : of).check(value))
}

/** An object with any names, and values of one shape. */
export function record(of: Shape): Shape {
  return shape((value) => {
    if (!isObject(value)) return notObject
    for (const name in value) {
      const problem = of.check(value[name])
      if (problem !== undefined) return within(name, problem)
    }
    return undefined
  })
}

/** An object with these members; others are allowed. */
export function object(members: ShapeMembers): Shape {
  // prepared at the first check, because most objects are only made to be extended
  let known: ReadonlyMap<string, Shape> | undefined
  let required: readonly string[] = []
  const prepare = () => {
    required = Object.keys(members).filter((name) => members[name]?.check(undefined) !== undefined)
    return new Map(Object.entries(members))
  }
  return shape((value) => {
    if (!isObject(value)) return notObject
    known ??= prepare()
    for (const name of required) if (value[name] === undefined) return within(name, missing)
    for (const name in value) {
      const problem = known.get(name)?.check(value[name])
      if (problem !== undefined) return within(name, problem)
    }
    return undefined
  }, members)
}

/** The same object with members added or replaced. */
export function extend(of: Shape, more: ShapeMembers): Shape {
  return object({ ...membersOf(of), ...more })
}

/** The members of an object, to put them into another one. */
export function membersOf({ members }: Shape): ShapeMembers {
  if (members === undefined) throw new TypeError('Cannot read the members of a shape: "object" did not make it')
  return members
}

/** An object with at least one of these optional members. */
export function needing(names: readonly string[], of: Shape): Shape {
  const problem: ShapeProblem = { path: '', message: `must have ${listed(names)}` }
  const lacks = (value: unknown) => !names.some((name) => (value as Fields)[name] !== undefined)
  return shape((value) => of.check(value) ?? (lacks(value) ? problem : undefined), of.members)
}

/** A value that fits both shapes. */
export function both(first: Shape, second: Shape): Shape {
  return shape((value) => first.check(value) ?? second.check(value))
}

/** Options of {@link tagged}. */
export interface TagOptions {
  /** The case of an object without a tag. */
  readonly absent?: string
  /** The shape of an object with an unknown tag. */
  readonly others?: Shape
}

/** A union of objects that differ in the member `tag`. */
export function tagged(tag: string, cases: ShapeMembers, { absent, others }: TagOptions = {}): Shape {
  const kinds = new Map<unknown, Shape>(Object.entries(cases))
  const unknown = others ?? object({ [tag]: oneOfWords(...Object.keys(cases)) })
  return shape((value) => {
    if (!isObject(value)) return notObject
    const kind = value[tag] === undefined ? absent : value[tag]
    return (kinds.get(kind) ?? unknown).check(value)
  })
}

/** A union of shapes without a tag. */
export function either(...choices: readonly Shape[]): Shape {
  return shape((value) => {
    for (const choice of choices) if (choice.check(value) === undefined) return undefined
    const complaints = new Set(choices.map((choice) => describeShapeProblem(choice.check(value) as ShapeProblem)))
    return { path: '', message: [...complaints].join(', or ') }
  })
}

/** The problem with `key` added to its path. */
export function within(key: string | number, { path, message }: ShapeProblem): ShapeProblem {
  const step = /^[A-Za-z_]\w*$/.test(`${key}`) ? `${key}` : `[${JSON.stringify(key)}]`
  // names may be of any length, and the problem is sent back
  const start = step.length > longestStep ? `${step.slice(0, longestStep)}…` : step
  return { path: path === '' || path.startsWith('[') ? start + path : `${start}.${path}`, message }
}

/** A problem in words, as in `arguments must be an object`. */
export function describeShapeProblem({ path, message }: ShapeProblem): string {
  return path === '' ? message : `${path} ${message}`
}

function listed(words: readonly string[]): string {
  return words.map((word) => JSON.stringify(word)).join(' or ')
}

function simple(message: string, fits: (value: unknown) => boolean): Shape {
  const problem: ShapeProblem = { path: '', message }
  return shape((value) => (fits(value) ? undefined : problem))
}

/** All shapes have one hidden class, which makes calls fast. */
function shape(check: Shape['check'], members?: ShapeMembers): Shape {
  return { check, members, fields: members && new Set(Object.keys(members)) }
}
