/** Rows of a table over all settings: each sets one, and shows its effect on a caller or the host. */
import type { Client } from '@trunkline/mcp'
import { serverNameOf } from '../../src/act/server-key.ts'
import { isTable, type Value, valueAt } from '../../src/config/document/document.ts'
import { allSettings, settingRule, usualValue } from '../../src/config/schema/settings.ts'
import type { RunHostOptions, RunningHost } from '../../src/running/run-host-types.ts'
import type { ServerSpec } from '../../src/servers/server-spec.ts'
import { textOf } from '../gateway/running-host.ts'

/** Callers of one place: in no project, or in one whose file was accepted, was not, or is not there. */
export interface Place {
  readonly running: RunningHost
  readonly name: 'none' | 'plain' | 'accepted' | 'unaccepted'
  readonly root: string | undefined
  /** Connects as a caller of this place; the same for the same address. */
  caller(address?: string): Promise<Client>
}

/** One setting: a value for it, and the observations without and with it. */
export interface Row {
  /** The setting as it is written, such as `host.maxResultKb`. */
  readonly path: string
  readonly value: Value
  observe(at: Place): unknown
  readonly without: unknown
  readonly with: unknown
}

/** Rows that do not disturb each other, on top of the same settings of the person. */
export interface Group {
  readonly name: string
  readonly base: object
  readonly rows: readonly Row[]
  readonly run?: Partial<RunHostOptions>
  /** True if its servers are accepted and started; else rows show what they would be started with. @default true */
  readonly starts?: boolean
}

/** The setting of the schema that a row is about, with `*` for chosen names. */
export function settingOf({ path, value }: Row): string {
  const inItem = path === 'inputs' ? ['*', Object.keys((value as readonly object[])[0] ?? {}).at(-1) ?? ''] : []
  const parts = [...path.split('.'), ...inItem]
  const found = allSettings().find(
    (one) => one.length === parts.length && one.every((part, at) => part === '*' || part === parts[at]),
  )
  if (found === undefined) throw new Error(`Cannot find the setting "${path}": the schema has none`)
  return found.join('.')
}

/** Value that the schema expects of a row in a place. */
export function expected(row: Row, base: object, place: Place['name'] | 'user'): unknown {
  return isInForce(row, base, place) ? row.with : row.without
}

/** True if the value of a row counts in a place, by the scope and the tightening of its setting. */
export function isInForce(row: Row, base: object, place: Place['name'] | 'user'): boolean {
  const path = row.path.split('.')
  const rule = settingRule(path)
  const below = valueAt(base as Value, path) ?? usualValue(path)
  const isTighter = rule?.tighter.isTighter(row.value, below) ?? false
  const counts = {
    user: true,
    none: false,
    // a setting that a project makes stricter for all is so for the others too
    plain: rule?.scope === 'stricter' && isTighter,
    accepted: rule?.scope === 'project' || (rule?.scope === 'stricter' && isTighter),
    unaccepted: rule?.scope !== 'host' && isTighter,
  }
  return counts[place]
}

/** The settings of a group with all of its rows, on top of others. */
export function settingsOf(rows: readonly Row[], onto: object = {}): object {
  return rows.reduce<object>((all, { path, value }) => merged(all, nested(path.split('.'), value)), onto)
}

function nested([key = '', ...rest]: readonly string[], value: Value): object {
  return { [key]: rest.length === 0 ? value : nested(rest, value) }
}

function merged(one: object, other: object): object {
  const entries = Object.entries(other).map(([key, value]) => {
    const before = (one as { readonly [key: string]: Value })[key]
    if (Array.isArray(before) && key === 'inputs') return [key, [...before, ...value]]
    return [key, isTable(before) && isTable(value) ? merged(before, value) : value]
  })
  return { ...one, ...Object.fromEntries(entries) }
}

/** The server of a place by its name, as it is configured for its callers. */
export function specAt({ running, root }: Place, name = 'probe'): ServerSpec | undefined {
  return running.host.projects.of(root).specs.find((spec) => serverNameOf(spec.name) === name)
}

/** The text of a call's result. */
export async function called(at: Place, tool: string, args: object = {}, address?: string): Promise<string> {
  const mcp = await at.caller(address)
  return textOf(await mcp.tools.call(tool, args as { [name: string]: unknown }))
}

/** The names of the tools that callers are listed. */
export async function listed(at: Place, address?: string): Promise<readonly string[]> {
  const mcp = await at.caller(address)
  return (await mcp.tools.list().all()).map(({ name }) => name)
}
