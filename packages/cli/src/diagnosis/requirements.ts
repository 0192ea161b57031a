import { execFile } from 'node:child_process'
import { lookup } from 'node:dns/promises'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { resolve } from 'node:path'
import type { Requirements } from '@trunkline/mcp/contract'
import type { SpawnTarget } from '@trunkline/mcp/stdio'
import { findProgram } from './find-program.ts'
import { type Finding, shellWord } from './finding.ts'
import { fulfils, lowestMajor } from './node-range.ts'

/** What of a server's needs is not there, the first of them; undefined when nothing is missing. */
export async function missingNeed(
  requires: Requirements,
  target: SpawnTarget,
  variableIsMissing: (name: string) => Finding,
): Promise<Finding | undefined> {
  const { env = {}, cwd = process.cwd() } = target
  const variable = requires.env?.find((name) => env[name] === undefined && !inherited.has(name))
  if (variable !== undefined) return variableIsMissing(variable)
  const file = requires.files?.find((path) => !existsSync(resolve(cwd, path.replace(/^~(?=\/|$)/, homedir()))))
  if (file !== undefined) {
    return { cause: 'file', line: `It says that it needs the file "${file}"`, command: `ls -l ${shellWord(file)}` }
  }
  for (const [name, range] of Object.entries({ ...requires.programs, ...requires.runtime })) {
    const finding = await wrongProgram(name, range, target)
    if (finding) return finding
  }
  for (const host of requires.network ?? []) {
    const finding = await unknownHost(host)
    if (finding) return finding
  }
  return undefined
}

/** What a program has anyway. */
const inherited = new Set(['HOME', 'PATH', 'USER', 'LANG', 'TMPDIR', 'SHELL', 'TERM', 'LOGNAME'])

async function wrongProgram(name: string, range: string, { env = {}, cwd = process.cwd() }: SpawnTarget) {
  const found = findProgram(name, env.PATH ?? process.env.PATH ?? '', cwd)
  const needs = `It says that it needs "${name}" ${range}`
  if ('problem' in found) {
    const line = `${needs}, and there is no such program on the search path`
    return { cause: 'no binary', line, command: `command -v ${shellWord(name)}` } as const satisfies Finding
  }
  const version = await versionOf(found.path)
  if (version === undefined || fulfils(version, range)) return undefined
  const line = `${needs}, and there is ${version}`
  if (name !== 'node') return { cause: 'version', line, command: `${shellWord(name)} --version` } as const
  return { cause: 'wrong Node', line, command: `npm install --global node@${lowestMajor(range) ?? 'latest'}` } as const
}

/** The first version in what a program says of itself, with three numbers. */
async function versionOf(path: string): Promise<string | undefined> {
  const said = await new Promise<string>((done) => {
    execFile(path, ['--version'], { timeout: 5_000 }, (_error, stdout, stderr) => done(`${stdout} ${stderr}`))
  })
  const [, major, minor, patch = '0'] = /(\d+)\.(\d+)(?:\.(\d+))?/.exec(said) ?? []
  return major === undefined ? undefined : `${major}.${minor}.${patch}`
}

async function unknownHost(written: string): Promise<Finding | undefined> {
  const host = URL.canParse(written) ? new URL(written).hostname : written.replace(/:\d+$/, '')
  // what stands for many hosts cannot be looked up
  if (host === '' || host.includes('*')) return undefined
  try {
    await lookup(host)
    return undefined
  } catch {
    const line = `It says that it needs to reach "${host}", which has no address here`
    return { cause: 'DNS', line, command: `getent hosts ${shellWord(host)}` }
  }
}
