import { execFile } from 'node:child_process'
import { fulfils, isNode, lowestMajor, manifestOf, scriptOf } from '@trunkline/host/requirements'
import type { SpawnTarget } from '@trunkline/mcp/stdio'

/** A Node that is not the one a program wants. */
export interface NodeMismatch {
  readonly has: string
  readonly wants: string
  /** Major version of Node to install. */
  readonly major: number
}

/** Compares the Node that runs a script with the `engines` of the package it belongs to; undefined when they agree. */
export async function wrongNode(target: SpawnTarget, program: string): Promise<NodeMismatch | undefined> {
  const script = scriptOf(target, program)
  const wants = script === undefined ? undefined : manifestOf(script)?.engines?.node
  if (typeof wants !== 'string') return undefined
  const has = await versionOf(isNode(program) ? program : 'node', target)
  if (has === undefined || fulfils(has, wants)) return undefined
  return { has, wants, major: lowestMajor(wants) ?? Number.NaN }
}

function versionOf(node: string, { env = {} }: SpawnTarget): Promise<string | undefined> {
  return new Promise((done) => {
    const options = { timeout: 5_000, env: { ...process.env, ...env } }
    execFile(node, ['--version'], options, (error, stdout) => done(error ? undefined : stdout.trim()))
  })
}
