/** Fails on a lock that `npm ci` refuses on some platform, that warns on the oldest Node, or that names a registry. */
import { type File, readFiles } from './lib/files.ts'
import { type Problem, report } from './lib/problem.ts'
import { newerNode, oldestNode } from './lib/supported.ts'
import { acceptsVersion } from './lib/version.ts'

type Wanted = { readonly [name: string]: string }

/** Fields of a locked package that this check reads. */
interface Locked {
  readonly name?: string
  readonly resolved?: string
  readonly integrity?: string
  readonly link?: boolean
  readonly dependencies?: Wanted
  readonly devDependencies?: Wanted
  readonly peerDependencies?: Wanted
  readonly optionalDependencies?: Wanted
  readonly engines?: { readonly node?: string }
}

type Packages = { readonly [folder: string]: Locked }

/** The lock for all who install the project; those of the other folders are for the newest Node alone. */
const everyones = 'package-lock.json'

/** Finds what a lock lacks; each platform's package is in it, since npm silently drops those it cannot find. */
export function checkLock({ path, text }: File): Problem[] {
  const { packages = {} } = JSON.parse(text) as { packages?: Packages }
  const folders = Object.keys(packages)
  if (folders.length === 0) return [{ path, message: 'Cannot check the lock: it holds no packages' }]
  const forNewer = path === everyones ? onlyForNewer(packages) : new Set(folders)
  const messages = folders.flatMap((folder) => [
    ...missingOptional(packages, folder),
    ...unverifiable(packages, folder),
    ...(forNewer.has(folder) ? [] : tooNew(packages, folder)),
  ])
  return messages.map((message) => ({ path, message }))
}

function missingOptional(packages: Packages, folder: string): string[] {
  return Object.keys(packages[folder]?.optionalDependencies ?? {})
    .filter((name) => lockedFolder(packages, folder, name) === undefined)
    .map((name) => `Missing "${name}" of "${folder}": pin a version of it whose platform packages all exist`)
}

/** Looks where Node looks: in the folder itself, then in each that holds it. */
function lockedFolder(packages: Packages, folder: string, name: string): string | undefined {
  const inside = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`
  if (packages[inside] !== undefined) return inside
  if (folder === '') return
  const outer = folder.lastIndexOf('/node_modules/')
  return lockedFolder(packages, outer < 0 ? '' : folder.slice(0, outer), name)
}

/** Packages needed only by those of ours that are published for a newer Node. */
function onlyForNewer(packages: Packages): Set<string> {
  const own = Object.keys(packages).filter((folder) => !folder.includes('node_modules/'))
  const newer = own.filter((folder) => Object.hasOwn(newerNode, packages[folder]?.name ?? ''))
  const reached = reachable(packages, newer)
  for (const folder of reachable(
    packages,
    own.filter((folder) => !newer.includes(folder)),
  ))
    reached.delete(folder)
  return reached
}

function reachable(packages: Packages, from: readonly string[]): Set<string> {
  const reached = new Set(from)
  for (const folder of reached) {
    const { dependencies, devDependencies, peerDependencies, optionalDependencies } = packages[folder] ?? {}
    const names = Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies, ...optionalDependencies })
    for (const name of names) {
      const found = lockedFolder(packages, folder, name)
      if (found !== undefined) reached.add(found)
    }
  }
  return reached
}

function unverifiable(packages: Packages, folder: string): string[] {
  const { resolved, integrity, link } = packages[folder] ?? {}
  if (/^\w+:/.test(resolved ?? '')) return [`"${folder}" names "${resolved}": keep omit-lockfile-registry-resolved`]
  const isInstalled = folder.includes('node_modules/') && link !== true
  return isInstalled && integrity === undefined ? [`"${folder}" has no integrity: install it again`] : []
}

function tooNew(packages: Packages, folder: string): string[] {
  if (!folder.includes('node_modules/')) return []
  if (acceptsOldest(packages, folder)) return []
  return [
    `"${folder}" wants Node ${packages[folder]?.engines?.node}: pin a version of it that accepts Node ${oldestNode}`,
  ]
}

function acceptsOldest(packages: Packages, folder: string): boolean {
  return acceptsVersion(packages[folder]?.engines?.node ?? '*', `${oldestNode}.0`)
}

if (import.meta.main) {
  const locks = readFiles('package-lock.json', '{*,tools/*}/package-lock.json')
  report(locks.flatMap(checkLock), `${locks.length} locks install on every platform`)
}
