import { McpError } from '../../wire/errors.ts'

/** There is no folder to work in. */
export const workingFolder = (): undefined => undefined

/** Paths need a file system. */
export async function pathWithin(): Promise<never> {
  throw new McpError('Unsupported', 'Cannot resolve a path: this runtime has no file system')
}

/** A file of settings needs a file system. */
export function readSettingsFile(): never {
  throw new McpError('Unsupported', 'Cannot read settings: this runtime has no files; give "file" as an object')
}

export { memoryFiles as spillPlace } from './memory-files.ts'
