import { pathToFileURL } from 'node:url'
import type { FilesLimits } from './files-limits.ts'

/** Context shared by the parts of the server. */
export interface FilesSetup {
  /** The real paths of the directories that are served. */
  readonly folders: readonly string[]
  readonly limits: FilesLimits
}

/** The address of a path. */
export function uriOf(path: string): string {
  return pathToFileURL(path).href
}
