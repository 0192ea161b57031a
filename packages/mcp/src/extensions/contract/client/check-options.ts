import { McpError } from '../../../wire/errors.ts'
import { kindOf } from '../../../wire/kind-of.ts'
import { isObject } from '../../../wire/messages.ts'
import type { ContractCallOptions } from './contract-call-options.ts'

// what setTimeout can wait
const maxDelayMs = 2_147_483_647

type Options = { readonly [Name in keyof ContractCallOptions]?: unknown }

const isText = (value: unknown): boolean => typeof value === 'string' && value !== ''

/** Check of each option, and the words for what it must be. */
const rules: { readonly [Name in keyof Options]-?: readonly [fits: (value: unknown) => boolean, wanted: string] } = {
  want: [isObject, 'an object such as { detail: "brief" }'],
  deadlineMs: [
    (value) => typeof value === 'number' && value <= maxDelayMs,
    `a number of milliseconds, at most ${maxDelayMs}`,
  ],
  deadline: [(value) => value instanceof Date && !Number.isNaN(value.getTime()), 'a Date, such as ctx.deadline'],
  idempotencyKey: [(value) => value === true || isText(value), 'a text, or true to make one'],
  plan: [isText, 'the "plan" of tools.preview'],
  expects: [
    (value) => isObject(value) && isText(value.name) && isObject(value.inputSchema),
    'the definition of a tool, as tools.list gives it',
  ],
  cwd: [isText, 'an absolute path'],
  handle: [isText, 'a text'],
  maxAgeMs: [(value) => typeof value === 'number' && value >= 0, 'a number of milliseconds'],
  attempts: [(value) => Number.isInteger(value) && (value as number) > 0, 'a whole number above 0'],
}

/** The options that the contract adds to calls; `dryRun` is none, and refused with what to use instead. */
export const contractCallOptions: readonly string[] = [...Object.keys(rules), 'dryRun']

/** Refuses options that make no sense, before anything is sent. */
export function checkContractCallOptions(options: Options & { readonly dryRun?: unknown }): void {
  // a caller that writes it means that nothing is to happen
  if (options.dryRun !== undefined) throw misuse('"dryRun" is no option of a call; use tools.preview')
  for (const name of Object.keys(rules) as (keyof Options)[]) {
    const value = options[name]
    if (value === undefined || rules[name][0](value)) continue
    const given = typeof value === 'string' ? JSON.stringify(value) : typeof value === 'number' ? value : kindOf(value)
    throw misuse(`"${name}" must be ${rules[name][1]}, not ${given}`)
  }
}

function misuse(problem: string): McpError {
  return new McpError('Misuse', `Cannot call the tool: ${problem}`, { outcome: 'NotSent' })
}
