import type { CallToolResult, Fields } from '@trunkline/mcp'
import { textOf } from '../gateway/running-host.ts'
import { type Caller, nameOf, type Side, type World } from './world.ts'

/** One of the sixteen combinations: a caller of one kind in front of a server of another. */
export interface Cell {
  readonly world: World
  readonly callerSide: Side
  readonly serverSide: Side
  /** The server by its configured name. */
  readonly server: string
  readonly caller: Caller
}

/** Behaviour that must hold in every cell. */
export type Behaviour = (cell: Cell) => Promise<void>

export async function cellOf(world: World, callerSide: Side, serverSide: Side): Promise<Cell> {
  const caller = await world.caller(callerSide)
  caller.logs.length = 0
  return { world, callerSide, serverSide, server: nameOf(serverSide), caller }
}

/** The name of a tool or prompt of the cell's server, as the gateway shows it. */
export const shown = ({ server }: Cell, name: string): string => `${server}__${name}`

/** Calls a tool of the cell's server, and returns its text. */
export async function said(cell: Cell, tool: string, args: Fields = {}): Promise<string> {
  return textOf(await result(cell, tool, args))
}

export function result(cell: Cell, tool: string, args: Fields = {}): Promise<CallToolResult> {
  return cell.caller.client.tools.call(shown(cell, tool), args) as Promise<CallToolResult>
}
