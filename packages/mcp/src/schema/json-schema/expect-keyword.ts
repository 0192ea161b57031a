import { isObject } from '../../wire/messages.ts'
import type { Site } from './draft.ts'
import { SchemaError } from './schema-error.ts'

/** Reads a keyword that has to be a number. */
export function expectNumber({ schema }: Site, keyword: string): number {
  const value = schema[keyword]
  return typeof value === 'number' ? value : refuseSchema(keyword, 'a number')
}

/** Reads a keyword that counts something. */
export function expectCount({ schema }: Site, keyword: string): number {
  const value = schema[keyword]
  return Number.isInteger(value) && Number(value) >= 0 ? Number(value) : refuseSchema(keyword, 'a non-negative integer')
}

/** Reads a keyword that has to be a string. */
export function expectString({ schema }: Site, keyword: string): string {
  const value = schema[keyword]
  return typeof value === 'string' ? value : refuseSchema(keyword, 'a string')
}

/** Reads a keyword that has to be a list. */
export function expectList({ schema }: Site, keyword: string): readonly unknown[] {
  const value = schema[keyword]
  return Array.isArray(value) ? value : refuseSchema(keyword, 'an array')
}

/** Reads the members of a keyword that has to be an object. */
export function expectEntries({ schema }: Site, keyword: string): readonly (readonly [string, unknown])[] {
  const value = schema[keyword]
  return isObject(value) ? Object.entries(value) : refuseSchema(keyword, 'an object')
}

/** Takes the value of a keyword for a list of strings. */
export function asNames(keyword: string, value: unknown): readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string')
    ? value
    : refuseSchema(keyword, 'an array of strings')
}

/** Refuses a schema for the value of one of its keywords. */
export function refuseSchema(keyword: string, wanted: string): never {
  throw new SchemaError(`Cannot use schema: "${keyword}" must be ${wanted}`)
}
