import { isObject } from '../../wire/messages.ts'
import { additionalItems, items, itemsOrList, maxItems, minItems, prefixItems, uniqueItems } from './arrays.ts'
import { contains, containsAny, containsCounted } from './contains.ts'
import type { Keyword, SchemaDraft } from './draft.ts'
import { refuseSchema } from './expect-keyword.ts'
import { allOf, anyOf, conditional, not, oneOf } from './logic.ts'
import { quote } from './message-words.ts'
import { exclusiveMaximum, exclusiveMinimum, maximum, minimum, multipleOf } from './numbers.ts'
import {
  dependencies,
  dependentRequired,
  dependentSchemas,
  maxProperties,
  minProperties,
  propertyNames,
} from './objects.ts'
import { members } from './properties.ts'
import { dynamicRef, recursiveRef, ref } from './reference-keywords.ts'
import { SchemaError } from './schema-error.ts'
import { maxLength, minLength, pattern } from './strings.ts'
import { constant, enumeration, type } from './type-enum-const.ts'
import { unevaluatedItems, unevaluatedProperties } from './unevaluated.ts'

/** The dialect a schema is written in; 2020-12 unless it says otherwise. */
export function draftOf(schema: unknown): SchemaDraft {
  const { $schema: name } = isObject(schema) ? schema : {}
  if (name === undefined) return draft2020
  if (typeof name !== 'string') refuseSchema('$schema', 'a string')
  const dialect = dialects.get(name.replace(/^http:/, 'https:').replace(/#$/, ''))
  if (!dialect)
    throw new SchemaError(`Cannot use schema: dialect ${quote(name)} is not among 2020-12, 2019-09 and draft-07`)
  return dialect
}

const sharedKeywords = {
  $ref: ref,
  type,
  enum: enumeration,
  const: constant,
  minimum,
  maximum,
  exclusiveMinimum,
  exclusiveMaximum,
  multipleOf,
  minLength,
  maxLength,
  pattern,
  minItems,
  maxItems,
  uniqueItems,
  minProperties,
  maxProperties,
  propertyNames,
  required: members,
  properties: members,
  patternProperties: members,
  additionalProperties: members,
  allOf,
  anyOf,
  oneOf,
  not,
  if: conditional,
}

const listItems = { items: itemsOrList, additionalItems }
const dependents = { dependentRequired, dependentSchemas }

const sharedHolders = [
  'additionalProperties',
  'propertyNames',
  'items',
  'contains',
  'if',
  'then',
  'else',
  'not',
  'allOf',
  'anyOf',
  'oneOf',
]

const sharedNamedHolders = ['properties', 'patternProperties', 'definitions', '$defs']

const draft2020: SchemaDraft = {
  keywords: named({ ...sharedKeywords, ...dependents, prefixItems, items, contains, $dynamicRef: dynamicRef }),
  leftovers: named({ unevaluatedProperties, unevaluatedItems }),
  holders: new Set([...sharedHolders, 'prefixItems', 'unevaluatedItems', 'unevaluatedProperties']),
  namedHolders: new Set([...sharedNamedHolders, 'dependentSchemas']),
  refStandsAlone: false,
  idOf: ({ $id }) => text($id),
  anchorOf: ({ $anchor }) => text($anchor),
  dynamicAnchorOf: ({ $dynamicAnchor }) => text($dynamicAnchor),
}

const draft2019: SchemaDraft = {
  ...draft2020,
  keywords: named({
    ...sharedKeywords,
    ...dependents,
    ...listItems,
    contains: containsCounted,
    $recursiveRef: recursiveRef,
  }),
  holders: new Set([...sharedHolders, 'additionalItems', 'unevaluatedItems', 'unevaluatedProperties']),
  dynamicAnchorOf: ({ $recursiveAnchor }) => ($recursiveAnchor === true ? '' : undefined),
}

const draft7: SchemaDraft = {
  keywords: named({ ...sharedKeywords, ...listItems, contains: containsAny, dependencies }),
  leftovers: named({}),
  holders: new Set([...sharedHolders, 'additionalItems']),
  namedHolders: new Set([...sharedNamedHolders, 'dependencies']),
  refStandsAlone: true,
  idOf: ({ $id, $ref }) => ($ref === undefined && !isFragment($id) ? text($id) : undefined),
  anchorOf: ({ $id, $ref }) => ($ref === undefined && isFragment($id) ? $id.slice(1) : undefined),
  dynamicAnchorOf: () => undefined,
}

const dialects = new Map([
  ['https://json-schema.org/draft/2020-12/schema', draft2020],
  ['https://json-schema.org/draft/2019-09/schema', draft2019],
  ['https://json-schema.org/draft-07/schema', draft7],
])

function named(keywords: Readonly<Record<string, Keyword>>): ReadonlyMap<string, Keyword> {
  return new Map(Object.entries(keywords))
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function isFragment(id: unknown): id is string {
  return typeof id === 'string' && id.startsWith('#')
}
