import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { pieceOf } from './match.ts'
import { type Expression, isExpression, type Part, parseParts } from './parse.ts'
import { cut, subjectOf } from './split-uri.ts'

const limits = { maxTemplateLength: 8192, maxExpressions: 100 }
const expressions = ['', '+', '#', '.', '/', ';', '?', '&'].flatMap((operator) =>
  ['a', 'b:2', 'a,b', 'a*', 'a,b*'].map((variables) => `{${operator}${variables}}`),
)
const literals = ['a', 'b', 'aab', 'abab', '/', '.', '=', ';a=', '?b=', 'A9']
const part = fc.oneof(fc.constantFrom(...expressions), fc.constantFrom(...literals))
const tokens = ['a', 'b', 'c', '=', ',', '.', '/', ';', '?', '&', '#', '%C3%A9', '%2F']
const token = fc.oneof(fc.constantFrom('a', 'b'), fc.constantFrom(...tokens))

test('cut: chooses what trying everything in the order of the rule would choose', () => {
  let matched = 0
  fc.assert(
    fc.property(fc.array(part, { maxLength: 5 }), fc.array(token, { maxLength: 10 }), (texts, found) => {
      const parts = parseParts(texts.join(''), limits)
      const pieces = cut(parts.map(pieceOf), subjectOf(found.join('')))
      assert.deepEqual(pieces, tryEverything(parts, found))
      if (pieces) matched++
    }),
    { numRuns: 30_000 },
  )
  assert.ok(matched > 1000, `only ${matched} URIs matched`)
})

test('cut: twice the URI is twice the work, for any template', () => {
  fc.assert(
    fc.property(
      fc.array(part, { minLength: 1, maxLength: 100 }),
      fc.array(token, { minLength: 1, maxLength: 8 }),
      (texts, block) => {
        const pieces = parseParts(texts.join(''), limits).map(pieceOf)
        const [work = 0, ...more] = [1, 2, 4, 8].map((times) => steps(pieces, block.join('').repeat(16 * times)))
        // near the end of a URI what the rest of a template needs does not fit, which saves less of a long one
        const saved = texts.join('').length
        for (const [index, steps] of more.entries())
          assert.ok(steps <= 1.05 * (work + saved) * 2 ** (index + 1), `${work}, ${more}`)
      },
    ),
    { numRuns: 300 },
  )
})

const costly: readonly [template: string, block: string][] = [
  ['{a}'.repeat(100), 'a'],
  ['{+a}'.repeat(100), 'a'],
  ['{/a*}'.repeat(100), '/'],
  ['{/a*}'.repeat(100), '/a'],
  ['{.a*}{a*}'.repeat(50), '.,'],
  ['{+a}b'.repeat(100), 'ab'],
  [`{+a}${'a'.repeat(1000)}b{+c}`, 'a'],
  ['{&a}'.repeat(100), '&a=1'],
  ['{&a*}'.repeat(100), '&a'],
  ['{?a*}{+b}'.repeat(50), '?'],
  [`{+b}{?${'a'.repeat(4000)}}`, '?a'],
  ['{;a,b,c}'.repeat(100), ';b;c;a'],
  ['{a:9999}'.repeat(100), '%C3%A9'],
]

for (const [template, block] of costly)
  test(`cut: a step is a position in a piece, for ${template.slice(0, 20)}… and ${block}…`, () => {
    const pieces = parseParts(template, limits).map(pieceOf)
    const uri = `${block.repeat(8192 / block.length)}!`
    const total = steps(pieces, uri)
    assert.ok(total <= 3 * (pieces.length + 1) * (uri.length + 1), `${total} steps`)
  })

function steps(pieces: readonly ReturnType<typeof pieceOf>[], uri: string): number {
  const subject = subjectOf(uri)
  cut(pieces, subject)
  return subject.steps
}

/** The rule as it is written, without regard to cost. */
function tryEverything(parts: readonly Part[], tokens: readonly string[]): readonly string[] | undefined {
  const uri = tokens.join('')
  const borders = [0]
  for (const token of tokens) borders.push((borders.at(-1) ?? 0) + token.length)
  const attempt = (index: number, start: number): readonly string[] | undefined => {
    const part = parts[index]
    if (part === undefined) return start === uri.length ? [] : undefined
    for (const end of endsByPreference(
      part,
      uri,
      borders.filter((border) => border >= start),
    )) {
      const rest = attempt(index + 1, end)
      if (rest) return [uri.slice(start, end), ...rest]
    }
    return undefined
  }
  return attempt(0, 0)
}

function endsByPreference(part: Part, uri: string, [start = 0, ...borders]: readonly number[]): readonly number[] {
  if (!isExpression(part)) return uri.startsWith(part.text, start) ? [start + part.text.length] : []
  const fits = part.operator.named ? fitsPairs : fitsRun
  const ends = borders.filter((end) => fits(part, uri.slice(start, end), uri.slice(end)))
  const pairs = (end: number) => uri.slice(start + 1, end).split(part.operator.separator).length
  if (part.operator.named) ends.sort((one, other) => pairs(other) - pairs(one) || one - other)
  return part.operator.lead === '' ? ends : [...ends, start]
}

function fitsRun({ operator, variables }: Expression, text: string): boolean {
  const values = text.slice(operator.lead.length)
  const [{ prefix = Number.POSITIVE_INFINITY } = {}] = variables.length === 1 ? variables : []
  const isExploded = variables.some(({ explode }) => explode)
  return (
    text.startsWith(operator.lead) &&
    ![...operator.stops].some((stop) => values.includes(stop)) &&
    values.replaceAll(/%C3%A9|%2F/g, 'x').length <= prefix &&
    (operator.separator !== '/' || isExploded || values.split('/').length <= variables.length)
  )
}

function fitsPairs({ operator, variables }: Expression, text: string, rest: string): boolean {
  const { lead, separator, stops } = operator
  const pairs = text.slice(1).split(separator)
  const isExploded = variables.some(({ explode }) => explode)
  const isWhole = (pairs.at(-1) ?? '').includes('=') || rest === '' || [...stops, separator].includes(rest.charAt(0))
  return (
    text.startsWith(lead) &&
    isWhole &&
    ![...stops].some((stop) => text.slice(1).includes(stop)) &&
    pairs.every((pair) => {
      const name = pair.split('=')[0] ?? ''
      return !name.includes('?') && (isExploded || variables.some((variable) => variable.name === name))
    })
  )
}
