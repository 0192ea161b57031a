import { basename, isAbsolute, resolve } from 'node:path'

/** A command that fetches a package when it starts and runs a program of it. */
export interface PackageCommand {
  readonly manager: 'npm' | 'uv'
  /** The package to fetch: a name, perhaps with a version or a range, or the path of a package. */
  readonly wanted: string
  /** Further packages that it needs. */
  readonly with: readonly string[]
  /** The program of the package; missing when it is the only one, or the one that is called like the package. */
  readonly program: string | undefined
  readonly python: string | undefined
  /** Arguments of the program itself. */
  readonly args: readonly string[]
}

/** Reads a command line; undefined for every other program, and for options that cannot be followed exactly. */
export function packageCommand(command: string, args: readonly string[], cwd: string): PackageCommand | undefined {
  const name = basename(command)
  const read = name === 'npx' ? npx(args) : name === 'uvx' ? uvx(args) : undefined
  return read && { ...read, wanted: absolute(read.wanted, cwd) }
}

/** Options of the runner: how many words each takes. */
const npxOptions: { readonly [option: string]: 0 | 1 } = {
  '-y': 0,
  '--yes': 0,
  '-q': 0,
  '--quiet': 0,
  '-p': 1,
  '--package': 1,
}
const uvxOptions: { readonly [option: string]: 0 | 1 } = {
  '-q': 0,
  '--quiet': 0,
  '--from': 1,
  '--with': 1,
  '-p': 1,
  '--python': 1,
}

function npx(args: readonly string[]): PackageCommand | undefined {
  const read = readOptions(args, npxOptions)
  const [first, ...rest] = read?.words ?? []
  if (!read || first === undefined) return undefined
  const [named, ...more] = [...read.values('-p'), ...read.values('--package')]
  const own = { manager: 'npm', python: undefined, args: rest } as const
  // with a package named apart, the first word is the program
  if (named !== undefined) return { ...own, wanted: named, with: more, program: first }
  return { ...own, wanted: first, with: [], program: undefined }
}

function uvx(args: readonly string[]): PackageCommand | undefined {
  const read = readOptions(args, uvxOptions)
  const [first, ...rest] = read?.words ?? []
  if (!read || first === undefined) return undefined
  const [from] = read.values('--from')
  const [python] = [...read.values('-p'), ...read.values('--python')]
  const own = { manager: 'uv', with: read.values('--with'), python, args: rest } as const
  if (from !== undefined) return { ...own, wanted: from, program: first }
  const [name = first, version] = first.split('@')
  const wanted = version === undefined || version === 'latest' ? name : `${name}==${version}`
  return { ...own, wanted, program: name }
}

function readOptions(args: readonly string[], known: { readonly [option: string]: 0 | 1 }) {
  const given: [option: string, value: string][] = []
  let at = 0
  for (; at < args.length; at += 1) {
    const word = args[at] ?? ''
    if (word === '--') {
      at += 1
      break
    }
    if (!word.startsWith('-')) break
    const [, option = word, written] = /^(--[\w-]+)=(.*)$/s.exec(word) ?? []
    const takes = Object.hasOwn(known, option) ? known[option] : undefined
    if (takes === undefined || (takes === 0 && written !== undefined)) return undefined
    if (takes === 1 && written === undefined) at += 1
    if (takes === 1) given.push([option, written ?? args[at] ?? ''])
  }
  const values = (option: string) => given.filter(([one]) => one === option).map(([, value]) => value)
  return { words: args.slice(at), values }
}

/** A path means the same wherever the package manager is started. */
function absolute(wanted: string, cwd: string): string {
  const path = wanted.replace(/^file:/, '')
  const isPath = path !== wanted || isAbsolute(path) || /^\.{1,2}(?:[\\/]|$)/.test(path)
  return isPath ? resolve(cwd, path) : wanted
}
