import { McpError } from '../wire/errors.ts'
import { kindOf } from '../wire/kind-of.ts'
import type { ExtensionWords } from './extension.ts'

// labels of a domain, a slash, a name: each starts and ends with a letter or digit
const idPattern =
  /^[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*\/[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/

/** Checks that the ids of extensions are valid and unique. */
export function assertExtensionIds(extensions: readonly ExtensionWords[]): void {
  const seen = new Set<string>()
  for (const extension of extensions) {
    const { id } = extension
    if (typeof id !== 'string') {
      const fix = 'give what a function such as tasks() returns'
      throw new McpError('Misuse', `Cannot enable ${kindOf(extension)} as an extension: ${fix}`)
    }
    if (!idPattern.test(id))
      throw new McpError('Misuse', `Cannot enable extension "${id}": an id is a reversed domain name, a slash, a name`)
    if (seen.has(id)) throw new McpError('Misuse', `Cannot enable extension "${id}": it is already enabled`)
    seen.add(id)
  }
}
