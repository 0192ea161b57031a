import { execFile } from 'node:child_process'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { SpawnTarget } from '@trunkline/mcp/stdio'
import { fulfils, lowestMajor } from './node-range.ts'

/** A Node that is not the one a program wants. */
export interface NodeMismatch {
  readonly has: string
  readonly wants: string
  /** What to install. */
  readonly major: number
}

/** Compares the Node that runs a script with the `engines` of the package it belongs to; undefined when they agree. */
export async function wrongNode(target: SpawnTarget, program: string): Promise<NodeMismatch | undefined> {
  const { args = [], cwd = process.cwd() } = target
  const script = /^node(?:\.exe)?$/i.test(basename(program)) ? args.find((arg) => !arg.startsWith('-')) : program
  const wants = script === undefined ? undefined : enginesOf(resolve(cwd, script))
  if (wants === undefined) return undefined
  const has = await versionOf(script === program ? 'node' : program, target)
  if (has === undefined || fulfils(has, wants)) return undefined
  return { has, wants, major: lowestMajor(wants) ?? Number.NaN }
}

function enginesOf(script: string): string | undefined {
  if (!existsSync(script)) return undefined
  for (let folder = dirname(realpathSync(script)); ; folder = dirname(folder)) {
    const file = join(folder, 'package.json')
    if (existsSync(file)) {
      try {
        const { engines } = JSON.parse(readFileSync(file, 'utf8')) as { engines?: { node?: unknown } }
        return typeof engines?.node === 'string' ? engines.node : undefined
      } catch {
        return undefined
      }
    }
    if (dirname(folder) === folder) return undefined
  }
}

function versionOf(node: string, { env = {} }: SpawnTarget): Promise<string | undefined> {
  return new Promise((done) => {
    const options = { timeout: 5_000, env: { ...process.env, ...env } }
    execFile(node, ['--version'], options, (error, stdout) => done(error ? undefined : stdout.trim()))
  })
}
