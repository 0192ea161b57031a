import { parseArgs } from 'node:util'

/** Options of the command line. */
export interface Arguments {
  readonly quick: boolean
  readonly check: boolean
  readonly list: boolean
  readonly help: boolean
  readonly only: readonly string[]
  readonly contestants: readonly string[]
  /** Turns of each contestant. @default the rounds of the measurement */
  readonly rounds?: number
  readonly profile?: 'http' | 'stdio'
}

/** Text of `--help`. */
export const usage = `Side by side with the peers and the limit, in one run.

  npm run bench                          everything, in rounds of a second
  npm run bench -- --quick               everything, roughly, within two minutes
  npm run bench -- --check               fail when an active floor of floors.json is broken
  npm run bench -- --only <measurement>  one measurement; may be repeated
  npm run bench -- --with <contestant>   one contestant and the limit; may be repeated
  npm run bench -- --rounds <count>      more turns than usual, for a machine that others use as well
  npm run bench -- --profile http|stdio  a flame graph of our server under load (--with: of another)
  npm run bench -- --list                the measurements and the contestants
  npm run bench -- --help                this text
`

/** Reads the command line; what it does not know is an error. */
export function readArguments(args: readonly string[]): Arguments {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: [] },
      with: { type: 'string', multiple: true, default: [] },
      profile: { type: 'string' },
      rounds: { type: 'string' },
    },
  })
  const { with: contestants, profile, rounds, ...rest } = values
  const asked = { ...rest, contestants, ...(rounds !== undefined && { rounds: readRounds(rounds) }) }
  if (profile === undefined) return asked
  if (profile !== 'http' && profile !== 'stdio') throw new Error(`Cannot profile "${profile}": choose http or stdio`)
  return { ...asked, profile }
}

function readRounds(rounds: string): number {
  if (/^[1-9]\d{0,3}$/.test(rounds)) return Number(rounds)
  throw new Error(`Cannot take "${rounds}" rounds: --rounds needs a whole number from 1 to 9999`)
}

/** The things with these names, in their own order, or all of them when no names are given. */
export function choose<Thing extends { readonly name: string }>(
  things: readonly Thing[],
  names: readonly string[],
): Thing[] {
  const unknown = names.find((name) => !things.some((thing) => thing.name === name))
  const known = things.map((thing) => thing.name).join(', ')
  if (unknown !== undefined) throw new Error(`Cannot find "${unknown}": choose from ${known}`)
  return things.filter((thing) => names.length === 0 || names.includes(thing.name))
}
