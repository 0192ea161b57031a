import { posix } from 'node:path'
import type { File } from './files.ts'

/** A target of `exports` or `imports`: a path, or one per condition. */
export type Target = string | { readonly [condition: string]: Target }

/** Fields of a package.json that the tools read. */
export interface Manifest {
  readonly name: string
  readonly version?: string
  readonly private?: boolean
  readonly bin?: string | { readonly [command: string]: string }
  readonly engines?: { readonly node?: string }
  readonly exports?: { readonly [entry: string]: Target }
  readonly imports?: { readonly [specifier: string]: Target }
  readonly dependencies?: { readonly [name: string]: string }
  readonly devDependencies?: { readonly [name: string]: string }
}

/** The packages among files, each with its folder. */
export function readManifests(files: readonly File[]): { folder: string; manifest: Manifest }[] {
  return files
    .filter(({ path }) => posix.basename(path) === 'package.json')
    .map(({ path, text }) => ({ folder: posix.dirname(path), manifest: JSON.parse(text) as Manifest }))
}

/** Every path a target may stand for; with a platform, those that it does on that platform. */
export function pathsOf(target: Target, platform?: 'default'): string[] {
  if (typeof target === 'string') return [target]
  const chosen = platform === undefined ? Object.values(target) : [target[platform]]
  return chosen.flatMap((inner) => (inner === undefined ? [] : pathsOf(inner, platform)))
}
