import { createHash } from 'node:crypto'
import { ToolProblem } from './tool-problem.ts'

/** A cursor for the next page of a list, bound to the arguments of its first page. */
export function makeCursor(query: unknown, position: unknown): string {
  return Buffer.from(JSON.stringify([markOf(query), position])).toString('base64url')
}

/** The position that a cursor holds; undefined without one. A caller can write any cursor: check what comes out. */
export function positionOf(cursor: string | undefined, query: unknown): unknown {
  if (cursor === undefined) return undefined
  try {
    const [mark, position] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as [unknown, unknown]
    if (mark === markOf(query)) return position
  } catch {
    // told below: it is no cursor of ours
  }
  throw new ToolProblem('refused', 'Cannot go on with this cursor: it is not from a list with these arguments', {
    next: 'Repeat the arguments of the first page, or leave out "cursor"',
  })
}

function markOf(query: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(query) ?? '')
    .digest('base64url')
    .slice(0, 10)
}
