import type { ConfigProblem } from '../../config/problem.ts'
import type { FoundRule } from '../client-format.ts'
import type { FoundFile } from './discover.ts'
import type { PlannedRule, Skipped } from './import-plan.ts'
import type { JoinedServer } from './join-servers.ts'

/**
 * Turns decisions into rules for the client in which they were taken. Decisions about unknown servers are left; those
 * about skipped servers need no rule, such as the entries that `install` has written for this program.
 */
export function planRules(
  files: readonly FoundFile[],
  servers: readonly JoinedServer[],
  skipped: readonly Skipped[],
): { readonly rules: readonly PlannedRule[]; readonly left: readonly ConfigProblem[] } {
  const results = files.flatMap((file) =>
    file.reading.rules
      .filter(
        ({ server }) => !skipped.some(({ origin }) => origin.client === file.client && isCalled(origin.name, server)),
      )
      .map((rule) => ({ rule, file, planned: rulesFor(rule, file, servers) })),
  )
  return {
    rules: results.flatMap(({ planned }) => planned).filter(isFirst),
    left: results.filter(({ planned }) => planned.length === 0).map(({ rule }) => leftRule(rule)),
  }
}

function rulesFor(rule: FoundRule, { client, project }: FoundFile, servers: readonly JoinedServer[]): PlannedRule[] {
  const { effect, server, tool, place } = rule
  if (!/^[^\s{}:]+$/.test(tool)) return []
  const planned = (name: string, scope: string | undefined): PlannedRule => ({
    effect,
    server: name,
    rule: { match: `${name}:${tool}`, principal: client },
    project: scope ?? project,
    place,
  })
  if (server === '*') return [planned('*', undefined)]
  return servers
    .filter(({ origins }) => origins.some((origin) => origin.client === client && isCalled(origin.name, server)))
    .map(({ name, project: scope }) => planned(name, scope))
}

/** Some clients write the name of a server into that of its tools, and then only with the characters that fit there. */
function isCalled(name: string, written: string): boolean {
  return name === written || name.replaceAll(/[^A-Za-z0-9_-]/g, '_') === written
}

function isFirst(one: PlannedRule, at: number, all: readonly PlannedRule[]): boolean {
  const same = (other: PlannedRule) =>
    other.effect === one.effect &&
    other.rule.match === one.rule.match &&
    other.rule.principal === one.rule.principal &&
    other.project === one.project
  return all.findIndex(same) === at
}

function leftRule({ effect, server, tool, place }: FoundRule): ConfigProblem {
  const problem = `is about a server "${server}" that was not found`
  return { ...place, key: `${effect} ${server}:${tool}`, problem, fix: 'it is left out' }
}
