import { readFile } from 'node:fs/promises'
import { describeProblem, readJsonFile } from '@trunkline/host/config'
import { usageFailure } from '../failure/failure.ts'

const effects = ['allow', 'ask', 'deny'] as const
const classes = ['reads', 'writes', 'destroys', 'unknown'] as const
const keys = ['name', 'act', 'arguments', 'class', 'client', 'expect']

/** An act, and what the policy is expected to say of it. */
export interface PolicyCase {
  readonly name?: string
  readonly server: string
  readonly target: string
  readonly arguments?: { readonly [name: string]: unknown }
  readonly class?: (typeof classes)[number]
  readonly client?: string
  readonly expect: (typeof effects)[number]
}

/** Reads a file of acts and expected verdicts; a mistake is named with its place. */
export async function readPolicyCases(file: string): Promise<readonly PolicyCase[]> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw usageFailure(`Cannot read "${file}": ${error.code}`)
  })
  const { value, problems } = readJsonFile(file, text)
  const [problem] = problems
  if (problem) throw usageFailure(`Cannot read the tests: ${describeProblem(problem)}`)
  const { tests } = value as { readonly tests?: unknown }
  if (!Array.isArray(tests) || tests.length === 0)
    throw usageFailure(`Cannot test with "${file}": it has no list "tests"`)
  return tests.map((one, at) => caseOf(one, `test ${at + 1} of "${file}"`))
}

function caseOf(written: unknown, place: string): PolicyCase {
  if (typeof written !== 'object' || written === null) throw usageFailure(`Cannot read ${place}: it is no object`)
  const stray = Object.keys(written).find((key) => !keys.includes(key))
  if (stray !== undefined)
    throw usageFailure(`Cannot read ${place}: there is no "${stray}"; there are ${keys.join(', ')}`)
  const { act, arguments: args, expect, class: told, name, client } = written as { readonly [key: string]: unknown }
  const [, server, target] = typeof act === 'string' ? (/^([^:\s]+):(\S+)$/.exec(act) ?? []) : []
  if (server === undefined || target === undefined)
    throw usageFailure(`Cannot read ${place}: write "act" as "server:tool" or "server:@kind"`)
  if (args !== undefined && (typeof args !== 'object' || args === null || Array.isArray(args)))
    throw usageFailure(`Cannot read ${place}: "arguments" is no object`)
  return {
    server,
    target,
    expect: oneOf(effects, expect, `"expect" of ${place}`),
    ...(args !== undefined && { arguments: args as NonNullable<PolicyCase['arguments']> }),
    ...(told !== undefined && { class: oneOf(classes, told, `"class" of ${place}`) }),
    ...(typeof name === 'string' && { name }),
    ...(typeof client === 'string' && { client }),
  }
}

function oneOf<const Word extends string>(words: readonly Word[], value: unknown, place: string): Word {
  const word = words.find((one) => one === value)
  if (word === undefined) throw usageFailure(`Cannot read ${place}: write ${words.join(' or ')}`)
  return word
}
