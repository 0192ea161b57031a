import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { Requirements } from '@trunkline/mcp/contract'

/** A program as it is started. */
export interface StartedProgram {
  readonly command: string
  readonly args?: readonly string[]
  readonly cwd?: string
  readonly env?: { readonly [name: string]: string }
}

/** Fields of a server's package.json that matter here. */
export interface PackageManifest {
  readonly engines?: { readonly node?: unknown }
  readonly mcp?: { readonly requires?: unknown; readonly updates?: unknown }
}

/** True if a program is Node itself. */
export function isNode(program: string): boolean {
  return /^node(?:\.exe)?$/i.test(basename(program))
}

/** The script that a program runs: the argument of `node`, or the program itself. */
export function scriptOf({ args = [], cwd = process.cwd() }: StartedProgram, program: string): string | undefined {
  const script = isNode(program) ? args.find((arg) => !arg.startsWith('-')) : program
  return script === undefined ? undefined : resolve(cwd, script)
}

/** The `package.json` of the package that a script belongs to; undefined when there is none that can be read. */
export function manifestOf(script: string): PackageManifest | undefined {
  if (!existsSync(script)) return undefined
  for (let folder = dirname(realpathSync(script)); ; folder = dirname(folder)) {
    const file = join(folder, 'package.json')
    if (existsSync(file)) {
      try {
        return JSON.parse(readFileSync(file, 'utf8')) as PackageManifest
      } catch {
        return undefined
      }
    }
    if (dirname(folder) === folder) return undefined
  }
}

/** Requirements that a server's package declares under `mcp.requires`, known before it is started. */
export function declaredRequirements(target: StartedProgram, program: string): Requirements | undefined {
  const script = scriptOf(target, program)
  const requires = script === undefined ? undefined : manifestOf(script)?.mcp?.requires
  return typeof requires === 'object' && requires !== null ? sound(requires as Requirements) : undefined
}

/** The members that have the right form. */
export function sound(requires: Requirements): Requirements {
  const texts = (value: unknown) =>
    Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : []
  const ranges = (value: unknown) =>
    Object.fromEntries(
      Object.entries(typeof value === 'object' && value !== null ? value : {}).filter(
        (one): one is [string, string] => typeof one[1] === 'string',
      ),
    )
  const { env, files, network, credentials, programs, runtime } = requires
  return {
    ...{ env: texts(env), files: texts(files), network: texts(network), credentials: texts(credentials) },
    ...{ programs: ranges(programs), runtime: ranges(runtime) },
  }
}
