import { type Fields, isObject } from '../wire/messages.ts'

/** A header parameter of a tool: its header, and the path of the argument. */
export interface HeaderParam {
  readonly name: string
  readonly path: readonly string[]
}

const keyword = 'x-mcp-header'
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const carried: readonly unknown[] = ['string', 'integer', 'boolean']

/** The header parameters of an input schema, or what is wrong with them. */
export function headerParams(inputSchema: Fields): readonly HeaderParam[] | string {
  const found: HeaderParam[] = []
  const problem = collect(inputSchema, [], found)
  if (problem) return problem
  const names = found.map(({ name }) => name.toLowerCase())
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  return twice === undefined ? found : `header "${twice}" is named twice`
}

/** The argument at a path, if there is one. */
export function argumentAt(value: unknown, path: readonly string[]): unknown {
  let at = value
  for (const name of path) at = isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined
  return at
}

// only "properties" lead to the same place in every call; anywhere else the mark is an error
function collect(schema: Fields, path: readonly string[], found: HeaderParam[]): string | undefined {
  for (const [member, value] of Object.entries(schema)) {
    const problem =
      member === 'properties' && isObject(value) ? collectProperties(value, path, found) : stray(member, value, 0)
    if (problem && !(member === keyword && path.length > 0)) return problem
  }
  return undefined
}

function collectProperties(properties: Fields, path: readonly string[], found: HeaderParam[]): string | undefined {
  for (const [name, property] of Object.entries(properties)) {
    if (!isObject(property)) continue
    const at = [...path, name]
    const problem = collect(property, at, found) ?? (keyword in property ? mark(property, at, found) : undefined)
    if (problem) return problem
  }
  return undefined
}

function mark(property: Fields, path: readonly string[], found: HeaderParam[]): string | undefined {
  const { [keyword]: name, type } = property
  const where = path.join('.')
  if (typeof name !== 'string' || !token.test(name)) return `"${where}" has a header name that is none`
  if (!carried.includes(type)) return `"${where}" cannot be a header: only strings, integers and booleans can`
  found.push({ name, path })
  return undefined
}

const mostDepth = 64

function stray(member: string, value: unknown, depth: number): string | undefined {
  if (member === keyword) return `"${keyword}" stands where no argument is`
  if (typeof value !== 'object' || value === null || depth > mostDepth) return undefined
  for (const [inner, part] of Object.entries(value)) {
    const problem = stray(inner, part, depth + 1)
    if (problem) return problem
  }
  return undefined
}
