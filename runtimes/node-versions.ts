import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { must } from '../tools/lib/run.ts'
import { ownNode } from '../tools/smoke.ts'

/** A Node on this machine. */
export interface NodeVersion {
  readonly version: string
  readonly binary: string
}

const packages = join(import.meta.dirname, 'node_modules')

/** Nodes that `package.json` names, for this platform, and the one of the machine; oldest first. */
export async function nodeVersions(): Promise<readonly NodeVersion[]> {
  const named = globSync(join(packages, `node-*-${process.platform}-${process.arch}/bin/node`))
  const own = ownNode(process.env.PATH ?? '')
  const found = await Promise.all([...named, ...(own === undefined ? [] : [own])].filter(existsSync).map(versionOf))
  const distinct = new Map(found.map((one) => [one.version, one]))
  return [...distinct.values()].sort((one, other) => one.version.localeCompare(other.version, 'en', { numeric: true }))
}

async function versionOf(binary: string): Promise<NodeVersion> {
  return { binary, version: (await must(binary, ['-p', 'process.versions.node'])).trim() }
}
