/** One problem of a value with its schema, worded for a model. */
export interface SchemaProblem {
  /** Place in the value, like `items[2].name`; empty for the value itself. */
  readonly path: string
  /** The fault there, like `must be at most 7`. */
  readonly message: string
}

/** Problems as one line, for an error message. */
export function describeProblems(problems: readonly SchemaProblem[]): string {
  return problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ')
}

/** Formats a path as in code. */
export function formatPath(keys: Iterable<PropertyKey>): string {
  let path = ''
  for (const key of keys) {
    if (typeof key === 'number') path += `[${key}]`
    else if (typeof key === 'string' && !identifier.test(key)) path += `[${JSON.stringify(key)}]`
    else path += path === '' ? String(key) : `.${String(key)}`
  }
  return path
}

const identifier = /^[\p{L}_$][\p{L}\p{N}_$-]*$/u
