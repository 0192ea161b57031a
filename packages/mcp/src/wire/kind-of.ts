/** Describes the type of a value for an error message. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (Array.isArray(value)) return 'an array'
  if (typeof value !== 'object') return `a ${typeof value}`
  if ('then' in value && typeof value.then === 'function') return 'a promise'
  const name = Object.getPrototypeOf(value)?.constructor?.name ?? 'Object'
  return name === 'Object' || name === '' ? 'an object' : `a ${name}`
}
