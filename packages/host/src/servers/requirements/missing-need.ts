import { execFile } from 'node:child_process'
import { lookup } from 'node:dns/promises'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { programPath } from '@trunkline/base/find-program'
import type { Requirements } from '@trunkline/mcp/contract'
import type { StartedProgram } from './declared.ts'
import { fulfils } from './version-range.ts'

/** Something that a server says it needs and that is not there. */
export interface MissingNeed {
  readonly kind: 'variable' | 'file' | 'program' | 'version' | 'host'
  readonly name: string
  /** The versions that would do. */
  readonly range?: string
  /** A sentence for a person. */
  readonly line: string
}

/** Variables that a program has anyway. */
const inherited = new Set(['HOME', 'PATH', 'USER', 'LANG', 'TMPDIR', 'SHELL', 'TERM', 'LOGNAME'])

/** The first of a server's needs on this machine that is not there; undefined when nothing is missing. */
export async function missingNeed(requires: Requirements, program: StartedProgram): Promise<MissingNeed | undefined> {
  const { env = {}, cwd = process.cwd() } = program
  const variable = requires.env?.find((name) => env[name] === undefined && !inherited.has(name))
  if (variable !== undefined) {
    return {
      kind: 'variable',
      name: variable,
      line: `It says that it needs the variable ${variable}, which is not set`,
    }
  }
  const file = requires.files?.find((path) => !existsSync(resolve(cwd, path.replace(/^~(?=\/|$)/, homedir()))))
  if (file !== undefined) {
    return { kind: 'file', name: file, line: `It says that it needs the file "${file}", which is not there` }
  }
  for (const [name, range] of Object.entries({ ...requires.programs, ...requires.runtime })) {
    const missing = await wrongProgram(name, range, program)
    if (missing) return missing
  }
  return undefined
}

/** The first of the hosts that a server must reach that has no address here; behind a proxy that need not matter. */
export async function unknownHost({ network = [] }: Requirements): Promise<MissingNeed | undefined> {
  for (const written of network) {
    const host = URL.canParse(written) ? new URL(written).hostname : written.replace(/:\d+$/, '')
    // a pattern for many hosts cannot be looked up
    if (host === '' || host.includes('*')) continue
    const isKnown = await lookup(host).then(
      () => true,
      () => false,
    )
    const line = `It says that it needs to reach "${host}", which has no address here`
    if (!isKnown) return { kind: 'host', name: host, line }
  }
  return undefined
}

async function wrongProgram(name: string, range: string, { env = {}, cwd = process.cwd() }: StartedProgram) {
  const needs = `It says that it needs "${name}" ${range}`
  // a file of the server's own must not run outside of its sandbox
  const isName = /^[\w.+-]+$/.test(name)
  const path = isName ? programPath(name, { path: env.PATH ?? process.env.PATH, cwd }) : undefined
  if (path === undefined) {
    const line = `${needs}, and ${isName ? 'there is no such program on the search path' : 'that is no name of a program'}`
    return { kind: 'program', name, range, line } as const satisfies MissingNeed
  }
  const version = await versionOf(path)
  if (version === undefined || fulfils(version, range)) return undefined
  return { kind: 'version', name, range, line: `${needs}, and there is ${version}` } as const satisfies MissingNeed
}

/** The first version in the version output of a program, with three numbers. */
async function versionOf(path: string): Promise<string | undefined> {
  const said = await new Promise<string>((done) => {
    execFile(path, ['--version'], { timeout: 5_000 }, (_error, stdout, stderr) => done(`${stdout} ${stderr}`))
  })
  const [, major, minor, patch = '0'] = /(\d+)\.(\d+)(?:\.(\d+))?/.exec(said) ?? []
  return major === undefined ? undefined : `${major}.${minor}.${patch}`
}
