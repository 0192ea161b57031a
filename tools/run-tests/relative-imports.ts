/**
 * Loaded before tests: finds the TypeScript files that others import by a relative path. Node would also look for links on
 * the way, for the package of each file, and for what kind of module it is; in this repository none of that differs, and
 * without it a process loads its hundreds of sources in two thirds to four fifths of the processor time.
 */
import { existsSync } from 'node:fs'
import { registerHooks } from 'node:module'

registerHooks({
  resolve(specifier, context, next) {
    if (specifier.startsWith('.') && specifier.endsWith('.ts') && context.parentURL !== undefined) {
      const url = new URL(specifier, context.parentURL)
      if (existsSync(url)) return { url: url.href, format: 'module-typescript', shortCircuit: true }
    }
    // Node says best what is wrong with a file that is not there
    return next(specifier, context)
  },
})
