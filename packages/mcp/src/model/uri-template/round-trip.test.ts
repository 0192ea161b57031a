import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../../../tools/lib/any-character.ts'
import { parseTemplate, type TemplateValue } from './uri-template.ts'

/** An expression and values that can be told apart from all others once expanded. */
interface Sample {
  readonly expression: (name: string) => string
  readonly values: (name: string) => { readonly [name: string]: TemplateValue }
}

const awkward = ['/', '..', '%2F', '%', '@', ',', '&a=b', '=', ' ', '?#', 'é', '𝄞', "!'()*", '__proto__']
const text = fc.oneof(fc.string({ unit: anyCharacter, maxLength: 6 }), fc.constantFrom(...awkward))
const withoutDots = text.map((value) => value.replaceAll('.', '-'))
const unnamed = fc.constantFrom('', '.', '/')
const named = fc.constantFrom(';', '?', '&')

// nothing at all is not a value of an expression without an operator
const filled = (operator: string, value: string) => (operator === '' ? `x${value}` : value)

const oneString = fc.record({ operator: fc.oneof(unnamed, named), value: text }).map(
  ({ operator, value }): Sample => ({
    expression: (name) => `{${operator}${name}}`,
    values: (name) => ({ [name]: filled(operator, value) }),
  }),
)

const firstOfSeveral = fc.record({ operator: unnamed, values: fc.array(withoutDots, { maxLength: 3 }) }).map(
  ({ operator, values }): Sample => ({
    expression: (name) => `{${operator}${name}1,${name}2,${name}3}`,
    values: (name) => named123(name, values.length === 0 && operator === '' ? ['x'] : values, operator),
  }),
)

const anyOfSeveral = fc
  .record({ operator: named, values: fc.array(fc.option(text, { nil: undefined }), { maxLength: 3 }) })
  .map(
    ({ operator, values }): Sample => ({
      expression: (name) => `{${operator}${name}1,${name}2,${name}3}`,
      values: (name) => named123(name, values, operator),
    }),
  )

const list = fc.record({ operator: fc.oneof(unnamed, named), items: fc.array(withoutDots, { minLength: 1 }) }).map(
  ({ operator, items }): Sample => ({
    expression: (name) => `{${operator}${name}*}`,
    values: (name) => ({ [name]: items.map((item) => filled(operator, item)) }),
  }),
)

const map = fc
  .record({
    operator: fc.oneof(unnamed, named),
    entries: fc.uniqueArray(fc.tuple(withoutDots, withoutDots), { minLength: 1, selector: ([key]) => key }),
  })
  .map(
    ({ operator, entries }): Sample => ({
      expression: (name) => `{${operator}${name}*}`,
      values: (name) => ({ [name]: Object.fromEntries(entries.map(([key, value]) => [`key ${key}`, value])) }),
    }),
  )

// a triplet in a reserved value stays as it is, so it cannot be told from an encoded character
const reserved = fc.record({ operator: fc.constantFrom('+', '#'), value: text }).map(
  ({ operator, value }): Sample => ({
    expression: (name) => `{${operator}${name}}`,
    values: (name) => ({ [name]: `x${value.replaceAll('%', '')}` }),
  }),
)

const sample = fc.oneof(oneString, firstOfSeveral, anyOfSeveral, list, map)

test('match: gives back what was expanded when the template is unambiguous', () => {
  fc.assert(
    fc.property(fc.array(sample, { maxLength: 5 }), fc.option(reserved), (samples, tail) => {
      const all = tail ? [...samples, tail] : samples
      // no value holds an unencoded @, save the reserved one at the end
      const template = parseTemplate(`mcp:${all.map(({ expression }, index) => expression(`v${index}_`)).join('/@/')}`)
      const values = Object.assign({}, ...all.map(({ values }, index) => values(`v${index}_`)))
      assert.deepEqual(ordinary(template.match(template.expand(values))), ordinary(values))
    }),
    { numRuns: 2000 },
  )
})

const expressions = ['', '+', '#', '.', '/', ';', '?', '&'].flatMap((operator) =>
  ['x', 'x,y', 'y*', 'x,y*,z', 'z:2', 'x:1,x'].map((variables) => `{${operator}${variables}}`),
)
const characters = ['a', 'b', 'x', 'y', '=', ',', '.', '/', ';', '?', '&', '#', '%C3%A9', '%2F', '@']

test('match: its values expand to the URI that was read', () => {
  let matched = 0
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...expressions, 'a', '/', 'x=', '@'), { maxLength: 4 }),
      fc.array(fc.constantFrom(...characters), { maxLength: 12 }),
      (parts, tokens) => {
        const template = parseTemplate(parts.join(''))
        const uri = tokens.join('')
        const found = template.match(uri)
        if (found === undefined) return
        matched++
        // pairs come back in the order of the template, and ?x as ?x=
        const spelled = (text: string) => {
          const decoded = decodeURIComponent(text)
          return /\{[;?&]/.test(parts.join('')) ? [...decoded.replaceAll('=', '')].sort().join('') : decoded
        }
        assert.equal(spelled(template.expand(found)), spelled(uri))
      },
    ),
    { numRuns: 20_000 },
  )
  assert.ok(matched > 500, `only ${matched} URIs matched`)
})

function named123(name: string, values: readonly (string | undefined)[], operator: string): { [name: string]: string } {
  const defined = values.flatMap((value, index): [string, string][] =>
    value === undefined ? [] : [[`${name}${index + 1}`, filled(operator, value)]],
  )
  return Object.fromEntries(defined)
}

function ordinary(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value))
}
