/** Every regular expression in the sources: whatever text it is given, it takes steps in proportion to the length. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { tokenize } from '../../../../tools/lib/tokens.ts'
import { Backtracking } from './backtracking.ts'

const sources = join(import.meta.dirname, '../../src')
const files = globSync('**/*.ts', { cwd: sources }).filter((path) => !path.endsWith('.test.ts'))
const textOf = (path: string): string => readFileSync(join(sources, path), 'utf8')

/** Files that assemble expressions, and the reason why those are not read here. */
const assembled: Readonly<Record<string, string>> = {
  'schema/json-schema/pattern/character.ts': 'reads one character',
  'schema/json-schema/pattern/native.ts': 'runs only patterns that the author trusts',
  'schema/json-schema/pattern/parse.ts': 'tells tokens apart, and is anchored at each',
  'transports/stdio/peek-id.ts': 'reads no more than 256 characters',
}

const written = [
  ...new Set(
    files.flatMap((path) =>
      tokenize(textOf(path))
        .filter(({ kind }) => kind === 'regex')
        .map(({ text }) => text),
    ),
  ),
]

// what comes before and after a text weighs less the longer that is, and a square would be 2
const mostGrowth = 1.3

/** Texts in which something comes again and again, after what leads there and before what does not fit. */
function* pumped({ kinds, repeated, approaches }: Backtracking, times: number): Generator<string> {
  const pairs = repeated.flatMap((first) => repeated.map((second) => first + second))
  for (const pump of [...kinds, ...pairs]) {
    for (const start of approaches) for (const end of ['', '\0', '\n', 'x']) yield start + pump.repeat(times) + end
  }
}

/** The text that takes most steps, or the first one that takes more than `enough`. */
function mostSteps(expression: Backtracking, times: number, enough = Number.POSITIVE_INFINITY) {
  let most = { steps: 0, text: '' }
  for (const text of pumped(expression, times)) {
    const steps = expression.stepsOn(text)
    if (steps > most.steps) most = { steps, text }
    if (steps > enough) break
  }
  return most
}

/** The power of the length by which steps grow, and the text on which they do. */
function growthOf(literal: string): { readonly exponent: number; readonly worst: string } {
  const end = literal.lastIndexOf('/')
  const expression = new Backtracking(new RegExp(literal.slice(1, end), literal.slice(end + 1)))
  const few = mostSteps(expression, 8)
  const many = mostSteps(expression, 64, few.steps * 8 ** mostGrowth)
  const exponent = many.steps === Number.POSITIVE_INFINITY ? many.steps : Math.log2(many.steps / few.steps) / 3
  return { exponent, worst: JSON.stringify(many.text) }
}

test('the sources: expressions that are put together are known, and those that are written are found', () => {
  const found = files.filter((path) => textOf(path).includes('new RegExp('))
  assert.deepEqual(found.sort(), Object.keys(assembled).sort())
  assert.ok(written.length > 40, `${written.length}`)
})

for (const text of written) {
  test(`${text} takes steps in proportion to the length of what it reads`, () => {
    const { exponent, worst } = growthOf(text)
    assert.ok(exponent <= mostGrowth, `${exponent} on ${worst}`)
  })
}

for (const text of ['/(a+)+$/', '/\\s+$/', '/^(a|a)*$/', '/^\\d+\\d+$/', '/^a*b?a*$/', '/<.*>.*<\\/.*>/']) {
  test(`Backtracking: ${text} would be found out`, () => {
    assert.ok(growthOf(text).exponent > mostGrowth)
  })
}
