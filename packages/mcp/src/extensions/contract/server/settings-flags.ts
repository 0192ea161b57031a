import { didYouMean } from '../../../wire/near-name.ts'
import type { SettingDefinition } from './setting-definition.ts'

/** The flags of a command line: the texts of those that are settings, what is left of it, and what is wrong with it. */
export interface ReadFlags {
  readonly texts: ReadonlyMap<string, string>
  readonly rest: readonly string[]
  readonly problems: readonly string[]
}

/** Reads `--flag value`, `--flag=value`, and `--flag` or `--no-flag` for what is true or false. The last one counts. */
export function readFlags(args: readonly string[], flags: ReadonlyMap<string, SettingDefinition>): ReadFlags {
  const texts = new Map<string, string>()
  const rest: string[] = []
  const problems: string[] = []
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as string
    // what comes after this is no flag
    if (arg === '--') return { texts, rest: [...rest, ...args.slice(at)], problems }
    const [name = '', given] = splitFlag(arg)
    const definition = flags.get(name)
    const negated = flags.get(name.replace('--no-', '--'))
    if (definition?.type === 'boolean') texts.set(name, given ?? 'true')
    else if (definition) {
      const value = given ?? args[++at]
      if (value === undefined) problems.push(`${name} needs a value`)
      else texts.set(name, value)
    } else if (negated?.type === 'boolean' && name.startsWith('--no-') && given === undefined)
      texts.set(name.replace('--no-', '--'), 'false')
    else {
      const near = name.startsWith('--') ? didYouMean(name, flags.keys()) : ''
      if (near !== '') problems.push(`there is no flag ${name}${near}`)
      rest.push(arg)
    }
  }
  return { texts, rest, problems }
}

function splitFlag(arg: string): readonly string[] {
  const at = arg.startsWith('--') ? arg.indexOf('=') : -1
  return at === -1 ? [arg] : [arg.slice(0, at), arg.slice(at + 1)]
}
