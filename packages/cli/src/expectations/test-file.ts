import type { Fields } from '@trunkline/mcp/client'
import { compile, describeProblems } from '@trunkline/mcp/json-schema'
import { parseJson } from '../arguments/argument-words.ts'
import { usageFailure } from '../failure/failure.ts'
import type { RecordedClient } from '../recording/recorded-client.ts'

/** Expected answer; all members that are given have to hold. */
export interface Expectation {
  /** All text of the answer, exactly. */
  readonly text?: string
  /** A part of its text. */
  readonly contains?: string
  /** Members that its structured content has, at least. */
  readonly structured?: unknown
  /** Expected `isError` of a tool's result. @default false */
  readonly isError?: boolean
  /** The code of the error that the server answers with. */
  readonly error?: number
  /** A JSON Schema that the whole result fits. */
  readonly schema?: Fields
  /** The whole result, but for what is said about it: `_meta`, cursors and how long it may be kept. */
  readonly result?: Fields
}

/** One request with what is expected of its answer. */
export interface TestCase {
  readonly name?: string
  readonly call?: string
  readonly read?: string
  readonly prompt?: string
  readonly request?: string
  readonly arguments?: Fields
  readonly expect?: Expectation
}

/** Saved requests, and the server they are for unless another is named. */
export interface TestFile {
  readonly server?: {
    readonly url?: string
    readonly command?: string
    readonly args?: readonly string[]
    readonly env?: { readonly [name: string]: string }
    readonly cwd?: string
  }
  readonly tests: readonly TestCase[]
  /** Client of the recording, if the file is one. */
  readonly recorded?: RecordedClient
}

const text = { type: 'string' }
const object = (properties: Fields, rest: Fields = {}): Fields => ({
  type: 'object',
  properties,
  additionalProperties: false,
  ...rest,
})

const expectation = object({
  text,
  contains: text,
  structured: true,
  isError: { type: 'boolean' },
  error: { type: 'integer' },
  schema: { type: 'object' },
  result: { type: 'object' },
})

const testCase = object({
  name: text,
  call: text,
  read: text,
  prompt: text,
  request: text,
  arguments: { type: 'object' },
  expect: expectation,
})

/** JSON Schema of a test file. */
export const testFileSchema: Fields = object(
  {
    $schema: text,
    server: object({
      url: text,
      command: text,
      args: { type: 'array', items: text },
      env: { type: 'object' },
      cwd: text,
    }),
    tests: { type: 'array', minItems: 1, items: testCase },
  },
  { required: ['tests'] },
)

/** Reads what a file of tests holds; what is wrong in it is named. */
export function parseTestFile(written: string, path: string): TestFile {
  const value = parseJson(written, `"${path}"`)
  const problems = compile(testFileSchema)(value)
  if (problems.length > 0) throw usageFailure(`Cannot use "${path}": ${describeProblems(problems)}`)
  const file = value as TestFile
  for (const [at, { call, read, prompt, request }] of file.tests.entries()) {
    const kinds = [call, read, prompt, request].filter((kind) => kind !== undefined)
    if (kinds.length !== 1)
      throw usageFailure(`Cannot use "${path}": tests[${at}] needs one of call, read, prompt, request`)
  }
  return file
}
