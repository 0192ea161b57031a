import { isObject } from '../../wire/messages.ts'
import type { Keyword } from './draft.ts'
import { canonical, isStructure } from './equality-key.ts'
import { expectList, refuseSchema } from './expect-keyword.ts'
import { listOfWords, quote } from './message-words.ts'
import type { Check } from './validation-run.ts'

/** `type`: one of the kinds of JSON value, or several. */
export const type: Keyword = ({ schema }) => {
  if (!Array.isArray(schema.type)) return kind(schema.type).check
  const choice = [...new Set(schema.type)].map(kind)
  const message = `must be ${listOfWords(choice.map(({ words }) => words))}`
  return (value, run) => choice.some(({ check }) => run.test(check, value)) || run.fail(message)
}

/** `enum`. */
export const enumeration: Keyword = (site) => oneOf(expectList(site, 'enum'))

/** `const`. */
export const constant: Keyword = ({ schema }) => oneOf([schema.const])

const kinds = new Map<unknown, { readonly words: string; readonly check: Check }>(
  Object.entries({
    string: {
      words: 'a string',
      check: (value, run) => typeof value === 'string' || run.fail('must be a string'),
    },
    number: {
      words: 'a number',
      check: (value, run) => Number.isFinite(value) || run.fail('must be a number'),
    },
    integer: {
      words: 'an integer',
      check: (value, run) => Number.isInteger(value) || run.fail('must be an integer'),
    },
    boolean: {
      words: 'a boolean',
      check: (value, run) => typeof value === 'boolean' || run.fail('must be a boolean'),
    },
    null: {
      words: 'null',
      check: (value, run) => value === null || run.fail('must be null'),
    },
    array: {
      words: 'an array',
      check: (value, run) => Array.isArray(value) || run.fail('must be an array'),
    },
    object: {
      words: 'an object',
      check: (value, run) => isObject(value) || run.fail('must be an object'),
    },
  }),
)

function kind(name: unknown) {
  return kinds.get(name) ?? refuseSchema('type', listOfWords([...kinds.keys()].map(quote)))
}

function oneOf(options: readonly unknown[]): Check {
  const structures = new Set(options.filter(isStructure).map((option) => canonical(option)))
  const plain = new Set(options)
  const message = `must be ${listOfWords(show(options))}`
  return (value, run) => {
    if (structures.size > 0 && isStructure(value)) return structures.has(canonical(value, run)) || run.fail(message)
    if (typeof value === 'string') run.pay(value.length >> 8)
    return plain.has(value) || run.fail(message)
  }
}

function show(options: readonly unknown[]): readonly string[] {
  const shown = options.slice(0, maxShown).map(quote)
  return options.length > maxShown ? [...shown, `one of ${options.length - maxShown} others`] : shown
}

const maxShown = 20
