import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { cacheFolder } from './places.ts'
import { NotThereYet } from './program.ts'

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
}

/** The bytes of some packages and of every package they need, each counted once. */
export function installedBytes(packages: readonly string[]): number {
  const folders = new Set<string>()
  for (const name of packages) collect(name, cacheFolder, folders)
  return [...folders].reduce((bytes, folder) => bytes + folderBytes(folder), 0)
}

function collect(name: string, from: string, folders: Set<string>): void {
  const folder = findPackage(name, from)
  if (folders.has(folder)) return
  folders.add(folder)
  const { dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = manifestOf(folder)
  const peers = Object.keys(peerDependencies).filter((peer) => peerDependenciesMeta[peer]?.optional !== true)
  for (const needed of [...Object.keys(dependencies), ...peers]) collect(needed, folder, folders)
}

function findPackage(name: string, from: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    const found = join(folder, 'node_modules', name)
    if (existsSync(join(found, 'package.json'))) return found
    if (folder === dirname(folder)) throw new NotThereYet(`package "${name}" is not installed`)
  }
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
}

function folderBytes(folder: string): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((bytes, entry) => {
    if (entry.name === 'node_modules') return bytes
    const path = join(folder, entry.name)
    return bytes + (entry.isDirectory() ? folderBytes(path) : statSync(path).size)
  }, 0)
}
