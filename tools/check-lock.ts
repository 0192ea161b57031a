/** Fails on a lock that `npm ci` refuses on some platform, that warns on the oldest Node, or that names a registry. */
import { type File, readFiles } from './lib/files.ts'
import { type Problem, report } from './lib/problem.ts'
import { oldestNode } from './lib/supported.ts'
import { acceptsVersion } from './lib/version.ts'

/** What this check reads of a locked package. */
interface Locked {
  readonly resolved?: string
  readonly integrity?: string
  readonly link?: boolean
  readonly optionalDependencies?: { readonly [name: string]: string }
  readonly engines?: { readonly node?: string }
}

type Packages = { readonly [folder: string]: Locked }

/** The lock of everybody who installs the project; those of the other folders are for the newest Node alone. */
const everyones = 'package-lock.json'

/** Finds what a lock lacks; each platform's package is in it, since npm silently drops those it cannot find. */
export function checkLock({ path, text }: File): Problem[] {
  const { packages = {} } = JSON.parse(text) as { packages?: Packages }
  const folders = Object.keys(packages)
  if (folders.length === 0) return [{ path, message: 'Cannot check the lock: it holds no packages' }]
  const messages = folders.flatMap((folder) => [
    ...missingOptional(packages, folder),
    ...unverifiable(packages, folder),
    ...(path === everyones ? tooNew(packages, folder) : []),
  ])
  return messages.map((message) => ({ path, message }))
}

function missingOptional(packages: Packages, folder: string): string[] {
  return Object.keys(packages[folder]?.optionalDependencies ?? {})
    .filter((name) => !isLocked(packages, folder, name))
    .map((name) => `Missing "${name}" of "${folder}": pin a version of it whose platform packages all exist`)
}

/** Looks where Node looks: in the folder itself, then in each that holds it. */
function isLocked(packages: Packages, folder: string, name: string): boolean {
  if (packages[`${folder === '' ? '' : `${folder}/`}node_modules/${name}`] !== undefined) return true
  if (folder === '') return false
  const outer = folder.lastIndexOf('/node_modules/')
  return isLocked(packages, outer < 0 ? '' : folder.slice(0, outer), name)
}

function unverifiable(packages: Packages, folder: string): string[] {
  const { resolved, integrity, link } = packages[folder] ?? {}
  if (/^\w+:/.test(resolved ?? '')) return [`"${folder}" names "${resolved}": keep omit-lockfile-registry-resolved`]
  const isInstalled = folder.includes('node_modules/') && link !== true
  return isInstalled && integrity === undefined ? [`"${folder}" has no integrity: install it again`] : []
}

/** Packages of our own say themselves which Node they want. */
function tooNew(packages: Packages, folder: string): string[] {
  if (!folder.includes('node_modules/')) return []
  const wanted = packages[folder]?.engines?.node ?? '*'
  if (acceptsVersion(wanted, `${oldestNode}.0`)) return []
  return [`"${folder}" wants Node ${wanted}: pin a version of it that accepts Node ${oldestNode}`]
}

if (import.meta.main) {
  const locks = readFiles('package-lock.json', '*/package-lock.json')
  report(locks.flatMap(checkLock), `${locks.length} locks install on every platform`)
}
