const maxDepth = 8
const maxMembers = 50

/** Shape of a value without its content: names, types and sizes. */
export function shapeOf(value: unknown, depthLeft = maxDepth): unknown {
  if (typeof value === 'string') return `string of ${value.length}`
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value
  if (Array.isArray(value)) return depthLeft === 0 ? 'list' : [`list of ${value.length}`, ...shapesOf(value, depthLeft)]
  if (depthLeft === 0) return 'object'
  const members = Object.entries(value).slice(0, maxMembers)
  return Object.fromEntries(members.map(([name, member]) => [name, shapeOf(member, depthLeft - 1)]))
}

function shapesOf(items: readonly unknown[], depthLeft: number): readonly unknown[] {
  return items.slice(0, 1).map((item) => shapeOf(item, depthLeft - 1))
}
