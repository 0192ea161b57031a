/** A profile as V8 writes it. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }
    readonly children?: readonly number[]
  }[]
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

/** A function on the stack: its own time, and that of what it called, in microseconds. */
export interface Frame {
  readonly name: string
  readonly own: number
  readonly total: number
  readonly children: readonly Frame[]
}

/** Stacks from the root on, calls of one function by the same caller taken together. */
export function frameTree({ nodes, samples, timeDeltas }: CpuProfile): Frame {
  const own = new Map<number, number>()
  for (const [index, id] of samples.entries()) own.set(id, (own.get(id) ?? 0) + Math.max(0, timeDeltas[index] ?? 0))
  const byId = new Map(nodes.map((node) => [node.id, node]))

  function frame(name: string, ids: readonly number[]): Frame {
    const children = ids.flatMap((id) => byId.get(id)?.children ?? [])
    const groups = Map.groupBy(children, (id) => nameOf(byId.get(id)))
    const merged = [...groups].map(([child, group]) => frame(child, group)).filter(({ total }) => total > 0)
    const mine = ids.reduce((sum, id) => sum + (own.get(id) ?? 0), 0)
    const total = merged.reduce((sum, child) => sum + child.total, mine)
    return { name, own: mine, total, children: merged.toSorted((one, other) => other.total - one.total) }
  }

  const root = nodes[0]
  if (root === undefined) throw new Error('Cannot read the profile: it has no nodes')
  return withoutIdle(frame('all', [root.id]))
}

/** The functions with the most time of their own. */
export function topFrames(root: Frame, count: number): { readonly name: string; readonly share: number }[] {
  const own = new Map<string, number>()
  const visit = (frame: Frame): void => {
    own.set(frame.name, (own.get(frame.name) ?? 0) + frame.own)
    for (const child of frame.children) visit(child)
  }
  visit(root)
  return [...own]
    .map(([name, time]) => ({ name, share: time / root.total }))
    .toSorted((one, other) => other.share - one.share)
    .slice(0, count)
}

function withoutIdle(root: Frame): Frame {
  const children = root.children.filter(({ name }) => name !== '(idle)')
  return { ...root, children, total: children.reduce((sum, child) => sum + child.total, root.own) }
}

function nameOf(node: CpuProfile['nodes'][number] | undefined): string {
  if (node === undefined) return '(unknown)'
  const { functionName, url, lineNumber } = node.callFrame
  const place = url === '' ? '' : ` ${shortPlace(url)}:${lineNumber + 1}`
  return `${functionName === '' ? '(anonymous)' : functionName}${place}`
}

/** The part of an address that tells files apart: from the package on, or the last folders. */
function shortPlace(url: string): string {
  const [, inPackage] = /.*\/node_modules\/(.+)$/.exec(url) ?? []
  return inPackage ?? (url.startsWith('node:') ? url : url.split('/').slice(-3).join('/'))
}
