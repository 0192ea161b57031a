import { parseArgs } from 'node:util'
import { usageFailure } from '../failure/failure.ts'
import type { OptionDescriptions } from './command.ts'

/** Options and words typed after the name of a command. */
export interface CommandLine {
  readonly options: { readonly [name: string]: boolean | string | readonly string[] }
  readonly words: readonly string[]
  readonly program: readonly string[] | undefined
}

type OptionToken = Extract<ReturnType<typeof tokensOf>[number], { kind: 'option' }>

/** Reads a command line by what a command says of its options; what it does not know is refused. */
export async function parseCommandLine(args: readonly string[], known: OptionDescriptions): Promise<CommandLine> {
  const end = args.indexOf('--')
  const own = end < 0 ? args : args.slice(0, end)
  const options: { [name: string]: boolean | string | string[] } = {}
  const words: string[] = []
  for (const token of tokensOf(own, known)) {
    if (token.kind === 'positional') words.push(token.value)
    if (token.kind === 'option') await takeOption(token, { known, options })
  }
  return { options, words, program: end < 0 ? undefined : args.slice(end + 1) }
}

function tokensOf(args: readonly string[], known: OptionDescriptions) {
  const options = Object.fromEntries(
    Object.entries(known).map(([name, { type, short }]) => [name, { type, ...(short && { short }) }]),
  )
  return parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true }).tokens
}

interface Taking {
  readonly known: OptionDescriptions
  readonly options: { [name: string]: boolean | string | string[] }
}

async function takeOption({ name, rawName, value, inlineValue }: OptionToken, { known, options }: Taking) {
  const option = Object.hasOwn(known, name) ? known[name] : undefined
  if (option === undefined) throw await unknownOption(rawName, known)
  if (option.type === 'boolean') {
    if (value !== undefined) throw usageFailure(`Cannot use "${rawName}=${value}": ${rawName} takes no value`)
    options[name] = true
    return
  }
  const isForgotten = value === undefined || (!inlineValue && value.startsWith('-') && value.length > 1)
  const sign = rawName.startsWith('--') ? '=' : ' '
  if (isForgotten)
    throw usageFailure(`Cannot use "${rawName}": it needs a value, as in ${rawName}${sign}${option.value}`)
  if (option.choices && !option.choices.includes(value)) throw await badChoice(rawName, value, option.choices)
  if (option.multiple) options[name] = [...((options[name] as string[] | undefined) ?? []), value]
  else if (options[name] === undefined) options[name] = value
  else throw usageFailure(`Cannot use "${rawName}" twice: it takes one value`)
}

async function unknownOption(written: string, known: OptionDescriptions) {
  const { nearName } = await import('@trunkline/mcp/json-schema')
  const names = Object.keys(known).map((name) => `--${name}`)
  const near = nearName(written, names)
  const guess = near === undefined ? `it takes ${names.sort().join(', ')}` : `did you mean "${near}"?`
  return usageFailure(`Cannot use "${written}": there is no such option; ${guess}`)
}

async function badChoice(written: string, value: string, choices: readonly string[]) {
  const { nearName } = await import('@trunkline/mcp/json-schema')
  const near = nearName(value, choices)
  const guess = near === undefined ? '' : `; did you mean "${near}"?`
  return usageFailure(`Cannot use "${written}=${value}": it takes ${choices.join(', ')}${guess}`)
}
