import { AuthoringError } from '../failure/authoring-error.ts'
import type { DescribedVariable } from './description.ts'

/** The variables that a wrapped program gets of this process; all others have to be named. */
export const inheritedVariables = ['HOME', 'LANG', 'LC_ALL', 'LOGNAME', 'PATH', 'TMPDIR', 'TZ', 'USER'] as const

/** Variables that tell programs that there is no screen. */
const withoutScreen = { TERM: 'dumb', NO_COLOR: '1', PAGER: 'cat', GIT_PAGER: 'cat', GIT_TERMINAL_PROMPT: '0' }

/** The whole environment of a wrapped program. */
export function programEnvironment(described: {
  readonly env?: { readonly [name: string]: DescribedVariable }
  readonly given?: readonly string[]
}): { readonly [name: string]: string } {
  const inherited = inheritedVariables.flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  const written = Object.entries(described.env ?? {}).map(
    ([name, variable]) => [name, variableValue(name, variable)] as const,
  )
  return {
    ...Object.fromEntries(inherited),
    ...withoutScreen,
    ...Object.fromEntries(written),
    ...Object.fromEntries((described.given ?? []).map(givenVariable)),
  }
}

function variableValue(name: string, variable: DescribedVariable): string {
  if (typeof variable === 'string') return variable
  const value = process.env[variable.from]
  if (value !== undefined) return value
  throw new AuthoringError(`Cannot give the program ${name}: ${variable.from} is not set here`)
}

function givenVariable(written: string): readonly [string, string] {
  const at = written.indexOf('=')
  return at < 0 ? [written, variableValue(written, { from: written })] : [written.slice(0, at), written.slice(at + 1)]
}
