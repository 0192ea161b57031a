import type { Fields } from '@trunkline/mcp'

/**
 * The values at a path into the arguments; lists on the way are entered, so there may be many. `undefined` stands for each
 * empty place. Only members that the caller sent count, never inherited ones.
 */
export function argumentsAt(path: readonly string[], args: Fields): readonly unknown[] {
  let values: readonly unknown[] = [args]
  for (const name of path) values = values.flatMap((value) => membersOf(value, name))
  return itemsOf(values)
}

/** The same as {@link argumentsAt}, with texts read as JSON where something is looked for inside, and with all that is in a value. */
export function argumentsWithin(path: readonly string[], args: Fields): readonly unknown[] {
  let values: readonly unknown[] = [args]
  for (const name of path) values = values.flatMap((value) => membersOf(asRead(value), name))
  return leavesOf(values)
}

function membersOf(value: unknown, name: string): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [undefined]
  if (Object.hasOwn(value, name) && (!Array.isArray(value) || /^\d+$/.test(name)))
    return [(value as { readonly [key: string]: unknown })[name]]
  return Array.isArray(value) ? itemsOf(value).flatMap((item) => membersOf(item, name)) : [undefined]
}

/** Lists with the lists in them opened; an empty one counts as nothing. */
function itemsOf(values: readonly unknown[]): readonly unknown[] {
  if (values.length === 0) return [undefined]
  if (!values.some(Array.isArray)) return values
  const found: unknown[] = []
  const left = [...values].reverse()
  while (left.length > 0) {
    const value = left.pop()
    if (!Array.isArray(value)) found.push(value)
    else if (value.length === 0) found.push(undefined)
    else for (let at = value.length - 1; at >= 0; at--) left.push(value[at])
  }
  return found
}

/** All texts, numbers and the like in values. */
function leavesOf(values: readonly unknown[]): readonly unknown[] {
  const found: unknown[] = []
  const left = [...values].reverse()
  while (left.length > 0) {
    const value = left.pop()
    if (typeof value !== 'object' || value === null) found.push(value)
    else left.push(...Object.values(value).reverse())
  }
  return found.length === 0 ? [undefined] : found
}

/** Parses a text that holds JSON, as some servers do. */
function asRead(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}
