import { posix } from 'node:path'
import type { Fields } from '@trunkline/mcp'
import { isPlainPath } from './paths.ts'
import { hasShortName, isPlainWindowsPath, windowsPlace } from './windows-paths.ts'

/** Conditions of a rule that the arguments of all calls fulfil: a common value, or the folder that all paths lie in. */
export function commonConditions(all: readonly Fields[]): readonly string[] {
  const [first = {}] = all
  return Object.keys(first).flatMap((key) => {
    const values = all.map((one) => one[key])
    const name = /^[A-Za-z_][\w-]*$/.test(key) ? key : JSON.stringify(key)
    const [value] = values
    if (values.every((one) => one === value) && isScalar(value)) return [`${name}=${JSON.stringify(value)}`]
    const folder = commonFolder(values)
    return folder === undefined ? [] : [`${name}~${JSON.stringify(`${folder}/**`)}`]
  })
}

function isScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

/** An absolute path as it is compared; undefined for any other value. A share is none: its pattern would begin as a path of POSIX. */
function absolutePath(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  if (/^[a-z]:[\\/]/i.test(value) && isPlainWindowsPath(value) && !hasShortName(value)) return windowsPlace(value)
  return value.startsWith('/') && isPlainPath(value) ? value : undefined
}

/** The folder that holds all of these; undefined when they are no plain paths, or when only the root or a drive does. */
function commonFolder(values: readonly unknown[]): string | undefined {
  const paths = values.map(absolutePath)
  if (!paths.every((path) => path !== undefined)) return undefined
  const folders = paths.map((path) => posix.dirname(path).split('/'))
  const [first = []] = folders
  let depth = first.length
  while (depth > 1 && folders.some((one) => one.slice(0, depth).join('/') !== first.slice(0, depth).join('/'))) depth--
  const folder = first.slice(0, depth).join('/')
  return folder === '' || /[*?[\]]|:$/.test(folder) ? undefined : folder.replace(/^\/(?=[a-z]:)/, '')
}
