import { McpError } from '../../../wire/errors.ts'
import { kindOf } from '../../../wire/kind-of.ts'
import { refuseUnknownOptions } from '../../../wire/known-options.ts'
import { isObject } from '../../../wire/messages.ts'

/** The way the program of a server is updated, for hosts that run it at the version they accepted. */
export interface Updates {
  /** Replacer of the program: "host", only what starts it; "itself", the program. */
  readonly by: 'host' | 'itself'
  /** Source of newer versions, such as "npm:my-server" or a URL. */
  readonly from?: string
  /** The environment variables with which a program that replaces itself leaves itself as it is. */
  readonly off?: { readonly [name: string]: string }
}

const known = { by: true, from: true, off: true } as const satisfies {
  readonly [Name in keyof Required<Updates>]: true
}

/** Refuses what a host could not act on. */
export function checkUpdates(updates: Updates | undefined): void {
  if (updates === undefined) return
  refuseUnknownOptions('Cannot enable the contract', updates, known, 'updates')
  const { by, from, off }: { readonly [Name in keyof Updates]?: unknown } = updates
  if (by !== 'host' && by !== 'itself') throw wrong('by', '"host" or "itself"', by)
  if (from !== undefined && (typeof from !== 'string' || from === ''))
    throw wrong('from', 'a text such as "npm:my-server"', from)
  if (off === undefined) return
  if (!isVariables(off)) throw wrong('off', 'an object such as { MY_SERVER_UPDATES: "off" }', off)
  if (by === 'host')
    throw new McpError('Misuse', 'Cannot enable the contract: "updates.off" is for a program that updates "itself"')
}

function isVariables(value: unknown): boolean {
  if (!isObject(value)) return false
  const all = Object.entries(value)
  return all.length > 0 && all.every(([name, text]) => /^[A-Za-z_]\w*$/.test(name) && typeof text === 'string')
}

function wrong(name: string, wanted: string, value: unknown): McpError {
  return new McpError(
    'Misuse',
    `Cannot enable the contract: "updates.${name}" must be ${wanted}, not ${typeof value === 'string' ? JSON.stringify(value) : kindOf(value)}`,
  )
}
