import type { Fields } from '@trunkline/mcp'
import { AuthoringError } from '../failure/authoring-error.ts'
import { isObject } from './read-document.ts'

/** Target of a reference within the document, through others if need be. */
export function resolved(root: Fields, value: unknown): Fields {
  const seen = new Set<string>()
  let found = value
  while (isObject(found) && typeof found.$ref === 'string') {
    const { $ref } = found
    if (seen.has($ref)) throw new AuthoringError(`Cannot use the description: "${$ref}" refers to itself`)
    seen.add($ref)
    found = valueAt(root, $ref)
  }
  return isObject(found) ? found : {}
}

/** The value that a reference such as `#/components/schemas/Pet` names. */
export function valueAt(root: Fields, reference: string): unknown {
  if (!reference.startsWith('#/') && reference !== '#')
    throw new AuthoringError(`Cannot follow "${reference}": it leads to another document; bundle them into one first`)
  let value: unknown = root
  for (const written of reference
    .slice(2)
    .split('/')
    .filter((key) => key !== '')) {
    const key = decodeURIComponent(written).replaceAll('~1', '/').replaceAll('~0', '~')
    value = Array.isArray(value)
      ? value[Number(key)]
      : isObject(value) && Object.hasOwn(value, key)
        ? value[key]
        : undefined
  }
  if (value === undefined) throw new AuthoringError(`Cannot follow "${reference}": there is nothing in the description`)
  return value
}
