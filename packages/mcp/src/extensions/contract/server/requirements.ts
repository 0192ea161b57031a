import { McpError } from '../../../wire/errors.ts'
import { kindOf } from '../../../wire/kind-of.ts'
import { refuseUnknownOptions } from '../../../wire/known-options.ts'
import { isObject } from '../../../wire/messages.ts'

/** Needs of a server, for hosts to check before they start it. */
export interface Requirements {
  /** Environment variables. */
  readonly env?: readonly string[]
  /** Programs on the PATH, each with the range of versions it must have. */
  readonly programs?: { readonly [name: string]: string }
  readonly files?: readonly string[]
  /** Hosts that it must reach. */
  readonly network?: readonly string[]
  /** Services that require a sign-in before the tool works. */
  readonly credentials?: readonly string[]
  /** Runtimes such as `node`, each with the range of versions it must have. */
  readonly runtime?: { readonly [name: string]: string }
}

const known = {
  env: true,
  programs: true,
  files: true,
  network: true,
  credentials: true,
  runtime: true,
} as const satisfies { readonly [Need in keyof Required<Requirements>]: true }

/** Refuses requirements that cannot be checked. */
export function checkRequirements(requires: Requirements | undefined): void {
  if (requires === undefined) return
  refuseUnknownOptions('Cannot enable the contract', requires, known, 'requires')
  for (const [need, value] of Object.entries(requires)) {
    const isRanges = need === 'programs' || need === 'runtime'
    if (value === undefined || (isRanges ? isObject(value) && isTexts(Object.values(value)) : isTexts(value))) continue
    const wanted = isRanges ? 'an object such as { git: ">=2.40" }' : 'a list of texts'
    throw new McpError(
      'Misuse',
      `Cannot enable the contract: "requires.${need}" must be ${wanted}, not ${kindOf(value)}`,
    )
  }
}

const isTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((each) => typeof each === 'string' && each !== '')
