import { firstCharacters, isDecodable } from './encoding.ts'
import type { Expression, Variable } from './parse.ts'

/** The match of a variable: one string, or with `*` a list, or a map when every item is `key=value`. */
export type TemplateValue = string | readonly string[] | { readonly [key: string]: string }

/** The variables found in a URI; the object has no prototype, so that any name is only a name. */
export type TemplateValues = { readonly [name: string]: TemplateValue }

interface Reading {
  readonly variable: Variable
  /** Undefined when the text is not a valid value. */
  readonly value: TemplateValue | undefined
}

interface Found {
  readonly value: TemplateValue
  /** Number of known characters of the value. */
  readonly width: number
  readonly times: number
}

/** Reads the text of each expression; undefined when one is malformed or they contradict each other. */
export function readVariables(
  expressions: readonly Expression[],
  texts: readonly string[],
): TemplateValues | undefined {
  if (!texts.every(isDecodable)) return undefined
  const found = new Map<string, Found>()
  for (const reading of expressions.flatMap((expression, index) => readExpression(expression, texts[index] ?? ''))) {
    const { name } = reading.variable
    const merged = merge(found.get(name), reading)
    if (merged === undefined) return undefined
    found.set(name, merged)
  }

  const variables: Record<string, TemplateValue> = Object.create(null)
  const occurrences = countNames(expressions)
  for (const [name, { value, times }] of found) {
    // a value expands wherever its variable is named, so it must have been found as often
    if (times !== occurrences.get(name)) return undefined
    variables[name] = value
  }
  return variables
}

function merge(known: Found | undefined, { variable, value }: Reading): Found | undefined {
  const width = variable.prefix ?? Number.POSITIVE_INFINITY
  if (value === undefined || cropped(value, width) !== value) return undefined
  if (known === undefined) return { value, width, times: 1 }
  if (!isSame(cropped(known.value, width), cropped(value, known.width))) return undefined
  const wider = width > known.width ? { value, width } : known
  return { ...wider, times: known.times + 1 }
}

function countNames(expressions: readonly Expression[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { name } of expressions.flatMap(({ variables }) => variables))
    counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}

function readExpression({ operator, variables }: Expression, text: string): readonly Reading[] {
  if (text === '') return []
  const items = text.slice(operator.lead.length).split(operator.separator)
  return operator.named ? readPairs(variables, items) : readItems(variables, items, operator.separator)
}

/** Gives each variable one item from the left; those left over go to the first with `*`, or else to the last. */
function readItems(variables: readonly Variable[], items: readonly string[], separator: string): readonly Reading[] {
  const surplus = Math.max(0, items.length - variables.length)
  const exploded = variables.findIndex(({ explode }) => explode)
  const taker = exploded === -1 ? variables.length - 1 : exploded
  return variables.slice(0, items.length).map((variable, index) => {
    const start = index > taker ? index + surplus : index
    const own = items.slice(start, start + (index === taker ? surplus : 0) + 1)
    if (!variable.explode) return { variable, value: decodeURIComponent(own.join(separator)) }
    const isMap = own.every((item) => item.includes('='))
    return { variable, value: isMap ? mapOf(own.map(splitPair)) : own.map((item) => decodeURIComponent(item)) }
  })
}

/** Gives each variable the pairs with its name; those with another name go to the first with `*`. */
function readPairs(variables: readonly Variable[], items: readonly string[]): readonly Reading[] {
  const lastNamed = new Map(variables.map((variable) => [variable.name, variable]))
  const taker = variables.find(({ explode }) => explode)
  const groups = new Map<string | undefined, Pair[]>()
  for (const pair of items.map(splitPair)) {
    const name = lastNamed.has(pair[0]) ? pair[0] : taker?.name
    const group = groups.get(name)
    if (group) group.push(pair)
    else groups.set(name, [pair])
  }
  return variables.flatMap((variable) => {
    const group = groups.get(variable.name) ?? []
    const pairs = group.splice(0, lastNamed.get(variable.name) === variable ? group.length : 1)
    return pairs.length === 0 ? [] : [{ variable, value: valueOfPairs(variable, pairs) }]
  })
}

function valueOfPairs({ name, explode }: Variable, pairs: readonly Pair[]): TemplateValue | undefined {
  const texts = pairs.map(([, text]) => decodeURIComponent(text))
  if (!explode) return texts.length === 1 ? texts[0] : undefined
  return pairs.every(([key]) => key === name) ? texts : mapOf(pairs)
}

/** A name and a value, still encoded. */
type Pair = readonly [name: string, text: string]

function splitPair(item: string): Pair {
  const at = item.indexOf('=')
  return at === -1 ? [item, ''] : [item.slice(0, at), item.slice(at + 1)]
}

/** A map of the pairs, unless a key occurs twice. */
function mapOf(pairs: readonly Pair[]): TemplateValue | undefined {
  const map: Record<string, string> = Object.create(null)
  for (const [key, text] of pairs) map[decodeURIComponent(key)] = decodeURIComponent(text)
  return Object.keys(map).length === pairs.length ? map : undefined
}

function cropped(value: TemplateValue, width: number): TemplateValue {
  return typeof value === 'string' ? firstCharacters(value, width) : value
}

function isSame(one: TemplateValue, other: TemplateValue): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}
