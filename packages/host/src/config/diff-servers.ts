import { canonicalJson } from '@trunkline/mcp'
import type { ResolvedServer } from './resolve-server.ts'

/** What changed between two states of the configuration, by the names of servers. */
export interface ServerChanges {
  readonly added: readonly string[]
  readonly removed: readonly string[]
  /** Their command, arguments, directory, environment, address or headers changed, or what they need. */
  readonly restarted: readonly string[]
  /** Something else changed, which takes effect without a restart. */
  readonly adjusted: readonly string[]
}

/** Compares two states; whoever runs the servers touches only those that are named. */
export function diffServers(before: readonly ResolvedServer[], after: readonly ResolvedServer[]): ServerChanges {
  const old = new Map(before.map((server) => [server.name, server]))
  const now = new Map(after.map((server) => [server.name, server]))
  const both = after.flatMap((server) => {
    const known = old.get(server.name)
    return known === undefined ? [] : [{ known, server }]
  })
  return {
    added: after.filter(({ name }) => !old.has(name)).map(({ name }) => name),
    removed: before.filter(({ name }) => !now.has(name)).map(({ name }) => name),
    restarted: both.filter(({ known, server }) => mustRestart(known, server)).map(({ server }) => server.name),
    adjusted: both
      .filter(({ known, server }) => !mustRestart(known, server) && !isSame(known, server))
      .map(({ server }) => server.name),
  }
}

function mustRestart(known: ResolvedServer, server: ResolvedServer): boolean {
  return known.startKey !== server.startKey || known.sharing !== server.sharing
}

function isSame(known: ResolvedServer, server: ResolvedServer): boolean {
  return canonicalJson(known.entry) === canonicalJson(server.entry)
}
