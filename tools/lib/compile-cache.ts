import { join } from 'node:path'
import { root } from './files.ts'

/**
 * Lets started processes keep what they compiled: most of them load the same sources, and each would erase their types
 * anew. Paths in the cache are relative, so that it is still of use after the repository was moved.
 */
export function keepCompiled(environment: NodeJS.ProcessEnv): void {
  environment.NODE_COMPILE_CACHE ??= join(root, 'node_modules/.cache/node-compile')
  environment.NODE_COMPILE_CACHE_PORTABLE ??= '1'
}
