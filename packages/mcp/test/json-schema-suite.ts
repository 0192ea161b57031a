/** The JSON Schema Test Suite, which no package brings; it may lie beside the repository. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Fields, isObject } from '../src/wire/messages.ts'
import { besideRepository } from './corpora.ts'

/** One schema, and how values are judged by it. */
export interface SuiteGroup {
  readonly description: string
  readonly schema: unknown
  readonly tests: readonly { readonly description: string; readonly data: unknown; readonly valid: boolean }[]
}

const suite = besideRepository('corpora', 'json-schema', 'tests')

/** True if the suite is at hand. */
export const hasSuite = suite !== undefined

/** The groups of one dialect, each with the name of its file. */
export function suiteGroups(dialect: string): readonly (readonly [file: string, group: SuiteGroup])[] {
  const folder = join(suite ?? '', dialect)
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'))
  assert.ok(names.length > 30)
  return names.flatMap((name) => {
    const groups = JSON.parse(readFileSync(join(folder, name), 'utf8')) as readonly SuiteGroup[]
    return groups.map((group) => [name, group] as const)
  })
}

/** A schema in a dialect, unless it names one itself. */
export function withDialect(schema: unknown, $schema: string): unknown {
  return isObject(schema) ? ({ $schema, ...schema } satisfies Fields) : schema
}
